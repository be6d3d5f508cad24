/**
 * Which keys were seen, in Lua. `print` is a key's fingerprint: a number below 2^63 as decimal text, as Lua's own numbers
 * end at 2^53.
 *
 * Exact: sets of integers of some 160 fingerprints each, which Redis holds at 8 bytes an integer up to 512 of them. Their
 * number grows by one with every 160 keys: the set that is next in turn is split in two by one more bit (Litwin, "Linear
 * Hashing", 1980), so that no step ever moves more than one set.
 *
 * Bloom: the bits of the filter in strings of 16 MiB, so that none comes near the 512 MiB at which a string ends, and
 * none takes long to be made. Seeds are kept exactly beside it.
 */
export const SEEN_LIBRARY: string = `
local SET_LOAD = 160
local CHUNK_BITS = 134217728

local seen = {}

local function load_seen()
  local names = { 'level', 'split', 'keys', 'marked', 'bits', 'hashes' }
  local values = call('HMGET', crawl, unpack(names))
  for i, name in ipairs(names) do seen[name] = tonumber(values[i]) end
end

local function save_seen()
  call('HSET', crawl, 'level', seen.level, 'split', seen.split, 'keys', seen.keys, 'marked', seen.marked)
end

local function modulo(print, divisor)
  local rest = 0
  for at = 1, #print, 5 do
    local digits = string.sub(print, at, at + 4)
    rest = (rest * 10 ^ #digits + tonumber(digits)) % divisor
  end
  return rest
end

local function set_of(print)
  local number = modulo(print, 2 ^ seen.level)
  if number < seen.split then number = modulo(print, 2 ^ (seen.level + 1)) end
  return key('seen', number)
end

local function split_next()
  local target = seen.split + 2 ^ seen.level
  local from, moved = key('seen', seen.split), {}
  for _, print in ipairs(call('SMEMBERS', from)) do
    if modulo(print, 2 ^ (seen.level + 1)) == target then moved[#moved + 1] = print end
  end
  if #moved > 0 then
    call('SREM', from, unpack(moved))
    call('SADD', key('seen', target), unpack(moved))
  end
  seen.split = seen.split + 1
  if seen.split == 2 ^ seen.level then seen.level, seen.split = seen.level + 1, 0 end
end

local function add_exact(print)
  if call('SADD', set_of(print), print) == 0 then return false end
  seen.keys = seen.keys + 1
  if seen.keys > SET_LOAD * (2 ^ seen.level + seen.split) then split_next() end
  return true
end

local function each_bit(print, act)
  local at, step = modulo(print, seen.bits), 1 + modulo(print, seen.bits - 1)
  for _ = 1, seen.hashes do
    act(key('bits', math.floor(at / CHUNK_BITS)), at % CHUNK_BITS)
    at = (at + step) % seen.bits
  end
end

local function add_bits(print)
  local is_new = false
  each_bit(print, function(chunk, bit)
    if call('SETBIT', chunk, bit, 1) == 0 then is_new = true end
  end)
  if is_new then seen.marked = seen.marked + 1 end
  return is_new
end

local function has_bits(print)
  local has = true
  each_bit(print, function(chunk, bit)
    if call('GETBIT', chunk, bit) == 0 then has = false end
  end)
  return has
end

local function add_seen(print, is_seed)
  if seen.bits == 0 then return add_exact(print) end
  local is_new = add_bits(print)
  if is_seed then return add_exact(print) end
  return is_new
end

local function has_seen(print)
  if seen.bits == 0 then return call('SISMEMBER', set_of(print), print) == 1 end
  return has_bits(print)
end
`;
