/** The document, with places for its style and script. What a crawl says is put in by the script, as text alone. */
export const MARKUP: string = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Dragline</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230f766e'/%3E%3Cpath d='M16 4v11' stroke='%23fff' stroke-width='2'/%3E%3Ccircle cx='16' cy='20' r='5' fill='%23fff'/%3E%3C/svg%3E">
<style>{style}</style>
</head>
<body>
<a class="skip" href="#watch">Skip to the crawl</a>
<header>
  <h1><svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><path d="M16 0v15"/><circle cx="16" cy="20" r="6"/><path d="M10 17 4 13M9.500 21H3M10.500 24 5 29M22 17l6-4M22.500 21H29M21.500 24 27 29"/></svg>Dragline</h1>
  <p id="connection" data-state="off"><span class="dot" aria-hidden="true"></span><span id="connection-text">Not connected</span></p>
</header>
<div class="layout">
<aside>
  <section class="panel" aria-labelledby="start-heading">
    <h2 id="start-heading">Start a crawl</h2>
    <form id="start" novalidate>
      <p id="start-error" class="error" role="alert" hidden></p>
      <div class="field">
        <label for="seeds">Seeds</label>
        <textarea id="seeds" rows="2" spellcheck="false" autocapitalize="off" placeholder="https://example.com/" aria-describedby="seeds-hint seeds-error"></textarea>
        <p class="hint" id="seeds-hint">One URL a line</p>
        <p class="error" id="seeds-error"></p>
      </div>
      <div class="pair">
        <div class="field">
          <label for="scope">Scope</label>
          <select id="scope" aria-describedby="scope-error">
            <option value="host" selected>Host</option>
            <option value="origin">Origin</option>
            <option value="domain">Domain</option>
            <option value="prefix">Path prefix</option>
            <option value="any">Anywhere</option>
          </select>
          <p class="error" id="scope-error"></p>
        </div>
        <div class="field">
          <label for="maxPages">Most pages</label>
          <input id="maxPages" type="number" inputmode="numeric" min="1" value="200" aria-describedby="maxPages-error">
          <p class="error" id="maxPages-error"></p>
        </div>
      </div>
      <details>
        <summary>More options</summary>
        <div class="pair">
          <div class="field">
            <label for="maxDepth">Most hops</label>
            <input id="maxDepth" type="number" inputmode="numeric" min="0" placeholder="no limit" aria-describedby="maxDepth-error">
            <p class="error" id="maxDepth-error"></p>
          </div>
          <div class="field">
            <label for="delayMs">Delay (ms)</label>
            <input id="delayMs" type="number" inputmode="numeric" min="0" placeholder="250" aria-describedby="delayMs-error">
            <p class="error" id="delayMs-error"></p>
          </div>
        </div>
        <div class="pair">
          <div class="field">
            <label for="concurrency">Concurrency</label>
            <input id="concurrency" type="number" inputmode="numeric" min="1" placeholder="8" aria-describedby="concurrency-error">
            <p class="error" id="concurrency-error"></p>
          </div>
          <div class="field">
            <label for="maxDurationMs">Most minutes</label>
            <input id="maxDurationMs" type="number" inputmode="decimal" min="0" placeholder="60" aria-describedby="maxDurationMs-error">
            <p class="error" id="maxDurationMs-error"></p>
          </div>
        </div>
        <div class="field">
          <label for="include">Only URLs like</label>
          <input id="include" type="text" spellcheck="false" autocapitalize="off" placeholder="*/docs/*" aria-describedby="include-error">
          <p class="error" id="include-error"></p>
        </div>
        <div class="field">
          <label for="exclude">No URLs like</label>
          <input id="exclude" type="text" spellcheck="false" autocapitalize="off" placeholder="*/login*" aria-describedby="exclude-error">
          <p class="error" id="exclude-error"></p>
        </div>
        <div class="field">
          <label for="userAgent">User agent</label>
          <input id="userAgent" type="text" spellcheck="false" autocapitalize="off" placeholder="MyBot/1.0 (+https://example.com/bot)" aria-describedby="userAgent-error">
          <p class="error" id="userAgent-error"></p>
        </div>
        <div class="field check">
          <input id="sitemaps" type="checkbox"><label for="sitemaps">Read sitemaps too</label>
        </div>
      </details>
      <button class="primary" type="submit">Start</button>
    </form>
  </section>
  <nav class="panel" aria-labelledby="crawls-heading">
    <h2 id="crawls-heading">Crawls</h2>
    <ul id="crawls" class="crawls"></ul>
    <p id="no-crawls" class="hint">None yet</p>
  </nav>
</aside>
<main id="watch" tabindex="-1">
  <section id="empty" class="panel empty">
    <svg viewBox="0 0 120 90" width="150" height="112" aria-hidden="true"><path d="M30 2h60M60 2v42"/><circle cx="60" cy="54" r="10"/><path d="M50 50 36 42M49 56H34M51 61 39 72M70 50l14-8M71 56h15M69 61l12 11"/></svg>
    <h2>Nothing to watch yet</h2>
    <p>Start a crawl, and see here how it goes.</p>
  </section>
  <div id="crawl" hidden>
    <section class="panel lead" aria-labelledby="seed">
      <div class="title">
        <span id="state" class="badge">running</span>
        <h2 id="seed"></h2>
      </div>
      <div class="actions">
        <button id="stop" type="button" class="danger">Stop</button>
        <button id="download" type="button">Download JSON Lines</button>
      </div>
      <dl id="figures" class="figures">
        <div class="wide"><dt>Pages</dt><dd data-figure="pages">0</dd></div>
        <div class="wide"><dt>Pages / s</dt><dd data-figure="rate">0</dd></div>
        <div><dt>Queue</dt><dd data-figure="queued">0</dd></div>
        <div><dt>In flight</dt><dd data-figure="inFlight">0</dd></div>
        <div><dt>Failures</dt><dd data-figure="failures">0</dd></div>
        <div><dt>Skips</dt><dd data-figure="skips">0</dd></div>
        <div><dt>Bytes</dt><dd data-figure="bytes">0</dd></div>
        <div><dt>Time</dt><dd data-figure="elapsed">0:00</dd></div>
      </dl>
    </section>
    <section class="panel" aria-labelledby="rate-heading">
      <h2 id="rate-heading">Pages a second</h2>
      <div class="chart">
        <svg id="curve" viewBox="0 0 600 150" preserveAspectRatio="none" role="img" aria-label="No pages yet">
          <path class="grid" d="M0 37.500H600M0 75H600M0 112.500H600"/>
          <path id="curve-area" class="area"/>
          <path id="curve-line" class="line"/>
        </svg>
        <span id="curve-top" class="axis top" aria-hidden="true"></span>
        <span id="curve-end" class="axis end" aria-hidden="true"></span>
        <span class="axis start" aria-hidden="true">0:00</span>
      </div>
    </section>
    <div class="columns">
      <section class="panel" aria-labelledby="statuses-heading">
        <h2 id="statuses-heading">Status codes</h2>
        <ul id="statuses" class="bars"></ul>
        <p id="no-statuses" class="hint">No answers yet</p>
      </section>
      <section class="panel" aria-labelledby="reasons-heading">
        <h2 id="reasons-heading">Failed and skipped</h2>
        <ul id="reasons" class="bars"></ul>
        <p id="no-reasons" class="hint">Nothing</p>
      </section>
    </div>
    <section class="panel" aria-labelledby="hosts-heading">
      <div class="bar">
        <h2 id="hosts-heading">Hosts <span id="hosts-count" class="count"></span></h2>
        <label class="filter"><span>Filter hosts</span><input id="hosts-filter" type="search" placeholder="Filter hosts" autocomplete="off"></label>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="hosts-heading">
        <table role="table">
          <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Host</th><th role="columnheader" scope="col" class="number">Pages</th><th role="columnheader" scope="col" class="number" title="Requests in flight, of so many at most"><span class="long">In flight / limit</span><span class="short">Limit</span></th><th role="columnheader" scope="col" class="number">Gap</th><th role="columnheader" scope="col">State</th></tr></thead>
          <tbody id="hosts" role="rowgroup"></tbody>
        </table>
      </div>
      <p id="hosts-more" class="hint"></p>
    </section>
    <section class="panel" aria-labelledby="results-heading">
      <div class="bar">
        <h2 id="results-heading">Newest results</h2>
        <fieldset class="choice">
          <legend>Show</legend>
          <label><input type="radio" name="kind" value="" checked><span>All</span></label>
          <label><input type="radio" name="kind" value="page"><span>Pages</span></label>
          <label><input type="radio" name="kind" value="failure"><span>Failures</span></label>
          <label><input type="radio" name="kind" value="skip"><span>Skips</span></label>
        </fieldset>
        <label class="filter"><span>Filter results</span><input id="results-filter" type="search" placeholder="Filter by URL, title or reason" autocomplete="off"></label>
      </div>
      <ol id="results" class="results"></ol>
      <p id="results-more" class="hint"></p>
    </section>
  </div>
</main>
</div>
<div id="live" class="hidden" role="status" aria-live="polite"></div>
<dialog id="token-dialog" aria-labelledby="token-heading">
  <form id="token-form" method="dialog">
    <h2 id="token-heading">This server asks for a token</h2>
    <div class="field">
      <label for="token">Token</label>
      <input id="token" type="password" autocomplete="current-password" required>
      <p class="hint">Kept in this tab until it is closed</p>
    </div>
    <button class="primary" type="submit">Continue</button>
  </form>
</dialog>
<noscript><p class="panel">This page needs its script. Without it, GET crawls gives the same as JSON.</p></noscript>
<script>{script}</script>
</body>
</html>
`;
