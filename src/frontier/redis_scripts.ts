import { SEEN_LIBRARY } from "./redis_seen_scripts.ts";

/*
 * Each operation is one script, so that it happens whole or not at all. `docs/scale.md` lists the keys. All of them start
 * with KEYS[1], which holds the crawl's hash tag, so that they lie in one slot of a cluster; the scripts make their names,
 * as nobody knows beforehand which hosts are due.
 *
 * Times are the server's: a caller hands in how far from now it means, and gets the same. A reply is a list that begins
 * with what became of it: "ok", "lost" (the lease), "idle" (the request is not in progress), "gone" (the crawl).
 */

const LIBRARY = `
local call = redis.call
local crawl = KEYS[1]

local function key(kind, name) return crawl .. ':' .. kind .. ':' .. name end

local DUE, LEASES = crawl .. ':due', crawl .. ':leases'
local HOLDERS, HOSTS = crawl .. ':holders', crawl .. ':hosts'

if call('HGET', crawl, 'salt') ~= ARGV[1] then return { 'gone' } end

local time = call('TIME')
local now = time[1] * 1000 + time[2] / 1000

-- To the microsecond, which a double still holds; infinite ones are read back as such.
local function text_of(number) return string.format('%.3f', number) end

local function from_now(difference)
  if difference == '' then return '' end
  return text_of(now + tonumber(difference))
end

local function till(time)
  if time == '' then return '' end
  return text_of(tonumber(time) - now)
end

local function count(name, change)
  if change ~= 0 then call('HINCRBY', crawl, name, change) end
end

-- A host as it was last left: when it is due, its last start, the end of its pause, and the rest of its pace as JSON.
local function load_host(host)
  local due, last, paused, pace = string.match(call('HGET', HOSTS, host) or '', '^(%S*) (%S*) (%S*) (.*)$')
  return { due = due or '-inf', last = last or '', paused = paused or '', pace = pace or '' }
end

local function save_host(host, state)
  call('HSET', HOSTS, host, state.due .. ' ' .. state.last .. ' ' .. state.paused .. ' ' .. state.pace)
end

local function score_of(member) return string.match(member, ' (%S+) ') end

local function is_held(host, lease)
  local ends = call('ZSCORE', LEASES, host)
  return ends and tonumber(ends) > now and call('HGET', HOLDERS, host) == lease
end

-- What is ready is due since ever, and first of that what came first: by the time since this, long before any other.
local EVER = -1e15

-- A host that nobody holds waits where its work is due; one that waits already only moves forward.
local function arrange(host)
  local work
  if call('EXISTS', key('q', host)) == 1 then
    work = EVER + now
  else
    work = tonumber(call('ZRANGE', key('d', host), 0, 0, 'WITHSCORES')[2])
  end
  if work then
    call('ZADD', DUE, 'LT', text_of(math.max(work, tonumber(load_host(host).due))), host)
  else
    call('ZREM', DUE, host)
  end
end

local function give_back(host)
  local taken = call('HGETALL', key('t', host))
  for i = 1, #taken, 2 do
    local member = taken[i] .. ' ' .. taken[i + 1]
    call('ZADD', key('q', host), score_of(member), member)
  end
  call('DEL', key('t', host))
  call('ZREM', LEASES, host)
  call('HDEL', HOLDERS, host)
  count('queued', #taken / 2)
  count('inProgress', -#taken / 2)
  arrange(host)
end

-- Who let a lease run out may have asked the host until then.
local function reap()
  for _, host in ipairs(call('ZRANGE', LEASES, '-inf', text_of(now), 'BYSCORE', 'LIMIT', 0, 64)) do
    local state = load_host(host)
    state.last = text_of(tonumber(call('ZSCORE', LEASES, host)))
    if state.pace == '' then state.pace = '{"limit":1,"gapMs":0}' end
    save_host(host, state)
    give_back(host)
  end
end
`;

/**
 * Queues what is new of the requests from `ARGV[first]` on, six arguments each, and says which were, `+` or `-`. Flags:
 * `s` a seed, `r` passes although it was seen, `b` the bound of its host's queue holds for it, `p` gets the place `place`.
 */
const ACCEPT_LIBRARY = `
local function is_full(host, most)
  return call('ZCARD', key('q', host)) + call('ZCARD', key('d', host)) >= most
end

local function accept(first, most, place)
  if not ARGV[first] then return '' end
  load_seen()
  local order = tonumber(call('HGET', crawl, 'order'))
  local answers, touched, queued, overflowed = {}, {}, 0, 0
  for i = first, #ARGV, 6 do
    local print, host, flags, delay = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
    local is_bound = most and string.find(flags, 'b', 1, true) and is_full(host, most)
    local is_seed = string.find(flags, 's', 1, true)
    local answer = '-'
    if is_bound then
      if not has_seen(print) then overflowed = overflowed + 1 end
    elseif add_seen(print, is_seed) or string.find(flags, 'r', 1, true) then
      answer = '+'
      queued = queued + 1
      local own_place = place
      if not string.find(flags, 'p', 1, true) then
        order = order + 1
        own_place = string.format('%011x', order)
      end
      local member = own_place .. ' ' .. ARGV[i + 4] .. ' ' .. ARGV[i + 5]
      if delay == '' then
        call('ZADD', key('q', host), ARGV[i + 4], member)
      else
        call('ZADD', key('d', host), from_now(delay), member)
      end
      touched[host] = true
    end
    answers[#answers + 1] = answer
  end
  save_seen()
  call('HSET', crawl, 'order', order)
  count('queued', queued)
  count('overflowed', overflowed)
  for host in pairs(touched) do
    call('HSETNX', HOSTS, host, '')
    if not call('ZSCORE', LEASES, host) then arrange(host) end
  end
  return table.concat(answers)
end
`;

/**
 * A client whose connection breaks may send a command twice, not knowing whether it was carried out. So what a worker's
 * last operations gave is kept for a while by their numbers, in a ring.
 */
const ONCE_LIBRARY = `
local RING, RING_MS = 1024, 600000
local operations = key('operations', ARGV[2])

local last = call('HGET', operations, ARGV[3] % RING)
if last and string.match(last, '^%d+') == ARGV[3] then return { 'ok', string.match(last, ' (.*)$') } end

local function done(answer)
  call('HSET', operations, ARGV[3] % RING, ARGV[3] .. ' ' .. answer)
  call('PEXPIRE', operations, RING_MS)
  return { 'ok', answer }
end
`;

/** KEYS: crawl. ARGV: salt, seen, bits, hashes. Gives the crawl's version, salt and seen: those that it began with. */
export const OPEN: string = `
local crawl = KEYS[1]
if redis.call('EXISTS', crawl) == 0 then
  redis.call('HSET', crawl, 'version', 1, 'salt', ARGV[1], 'seen', ARGV[2], 'bits', ARGV[3], 'hashes', ARGV[4],
    'order', 0, 'token', 0, 'queued', 0, 'inProgress', 0, 'overflowed', 0,
    'keys', 0, 'level', 0, 'split', 0, 'marked', 0)
end
return redis.call('HMGET', crawl, 'version', 'salt', 'seen')
`;

/** ARGV: salt, worker, operation, most queued a host or nothing; for each request: print, host, flags, delay, score, text. */
export const ADD: string = `${LIBRARY}${ONCE_LIBRARY}${SEEN_LIBRARY}${ACCEPT_LIBRARY}
return done(accept(5, tonumber(ARGV[4])))
`;

/** ARGV: salt, worker, n, lease's time. Gives for each host: host, lease, last start, end of pause, pace. */
export const LEASE: string = `${LIBRARY}
reap()
local reply = { 'ok' }
for _, host in ipairs(call('ZRANGE', DUE, '-inf', text_of(now), 'BYSCORE', 'LIMIT', 0, ARGV[3])) do
  local lease = call('HINCRBY', crawl, 'token', 1) .. '-' .. ARGV[2]
  call('ZREM', DUE, host)
  call('ZADD', LEASES, from_now(ARGV[4]), host)
  call('HSET', HOLDERS, host, lease)
  local state = load_host(host)
  for _, value in ipairs({ host, lease, till(state.last), till(state.paused), state.pace }) do
    reply[#reply + 1] = value
  end
end
return reply
`;

/** ARGV: salt, host, lease, n. Gives the requests. */
export const TAKE: string = `${LIBRARY}
-- In bounded steps: what is due beyond that is moved by the next call.
local MOST_MOVED = 1000
local host = ARGV[2]
if not is_held(host, ARGV[3]) then return { 'lost' } end
local due = math.min(MOST_MOVED, call('ZCOUNT', key('d', host), '-inf', text_of(now)))
if due > 0 then
  local members = call('ZPOPMIN', key('d', host), due)
  for i = 1, #members, 2 do call('ZADD', key('q', host), score_of(members[i]), members[i]) end
end
local members = call('ZPOPMIN', key('q', host), ARGV[4])
local reply = { 'ok' }
for i = 1, #members, 2 do
  local order, rest = string.match(members[i], '^(%S+) (.*)$')
  call('HSET', key('t', host), order, rest)
  reply[#reply + 1] = members[i]
end
count('queued', -#members / 2)
count('inProgress', #members / 2)
return reply
`;

/** ARGV: salt, worker, operation, most queued a host or nothing, host, lease, order; requests as {@link ADD} has them. */
export const COMPLETE: string = `${LIBRARY}${ONCE_LIBRARY}${SEEN_LIBRARY}${ACCEPT_LIBRARY}
if not is_held(ARGV[5], ARGV[6]) then return { 'lost' } end
if call('HDEL', key('t', ARGV[5]), ARGV[7]) == 0 then return { 'idle' } end
count('inProgress', -1)
return done(accept(8, tonumber(ARGV[4]), ARGV[7]))
`;

/** ARGV: salt, worker, operation, host, lease, order, delay, score, text. */
export const DEFER: string = `${LIBRARY}${ONCE_LIBRARY}
local host, order = ARGV[4], ARGV[6]
if not is_held(host, ARGV[5]) then return { 'lost' } end
if call('HDEL', key('t', host), order) == 0 then return { 'idle' } end
call('ZADD', key('d', host), from_now(ARGV[7]), order .. ' ' .. ARGV[8] .. ' ' .. ARGV[9])
count('inProgress', -1)
count('queued', 1)
return done('')
`;

/** ARGV: salt, host, lease, due, last start, end of pause, pace. */
export const RELEASE: string = `${LIBRARY}
if not is_held(ARGV[2], ARGV[3]) then return { 'lost' } end
save_host(ARGV[2], { due = from_now(ARGV[4]), last = from_now(ARGV[5]), paused = from_now(ARGV[6]), pace = ARGV[7] })
give_back(ARGV[2])
return { 'ok' }
`;

/** ARGV: salt, lease's time; for each lease: host, lease, last start, end of pause, pace or nothing. Gives `+` or `-` each. */
export const RENEW: string = `${LIBRARY}
local answers = {}
for i = 3, #ARGV, 5 do
  local host = ARGV[i]
  if is_held(host, ARGV[i + 1]) then
    call('ZADD', LEASES, from_now(ARGV[2]), host)
    if ARGV[i + 4] ~= '' then
      local due, last, paused = load_host(host).due, from_now(ARGV[i + 2]), from_now(ARGV[i + 3])
      save_host(host, { due = due, last = last, paused = paused, pace = ARGV[i + 4] })
    end
    answers[#answers + 1] = '+'
  else
    answers[#answers + 1] = '-'
  end
end
return { 'ok', table.concat(answers) }
`;

/** ARGV: salt. Gives queued, in progress, keys seen, when a host is next due or nothing, requests refused by the bound. */
export const COUNTS: string = `${LIBRARY}
reap()
local counts = call('HMGET', crawl, 'queued', 'inProgress', 'keys', 'marked', 'bits', 'overflowed')
local seen = counts[5] == '0' and counts[3] or counts[4]
local due = call('ZRANGE', DUE, 0, 0, 'WITHSCORES')[2] or ''
if due ~= '' and tonumber(due) < EVER / 2 then due = '-inf' end
return { 'ok', counts[1], counts[2], seen, till(due), counts[6] }
`;

/** ARGV: salt, cursor. Gives the next cursor and some hosts that have something queued. */
export const LIST_HOSTS: string = `${LIBRARY}
local page = call('HSCAN', HOSTS, ARGV[2], 'COUNT', 64)
local reply = { 'ok', page[1] }
for i = 1, #page[2], 2 do
  local host = page[2][i]
  if call('EXISTS', key('q', host), key('d', host)) > 0 then reply[#reply + 1] = host end
end
return reply
`;

/** ARGV: salt, host, "q" for what is ready or "d" for what was deferred, cursor. Gives the next cursor and some requests. */
export const LIST_REQUESTS: string = `${LIBRARY}
local page = call('ZSCAN', key(ARGV[3], ARGV[2]), ARGV[4], 'COUNT', 500)
local reply = { 'ok', page[1] }
for i = 1, #page[2], 2 do reply[#reply + 1] = page[2][i] end
return reply
`;

/** ARGV: salt, host, "q" or "d", requests. Forgets them, and gives `+` for each that was still queued, else `-`. */
export const FORGET: string = `${LIBRARY}
local host, queue = ARGV[2], key(ARGV[3], ARGV[2])
local answers, forgotten = {}, 0
for i = 4, #ARGV do
  local removed = call('ZREM', queue, ARGV[i])
  forgotten = forgotten + removed
  answers[#answers + 1] = removed == 1 and '+' or '-'
end
count('queued', -forgotten)
if forgotten > 0 and not call('ZSCORE', LEASES, host) then
  call('ZREM', DUE, host)
  arrange(host)
end
return { 'ok', table.concat(answers) }
`;
