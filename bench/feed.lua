-- wrk sends the requests of a file, one a line, in this order: method, path, cookie, encoding, tag, body (tabs).
-- They are put together before the clock starts. At the end one line of JSON is printed.

local requests, last, looked_at = {}, 0, false

function init(args)
  for line in io.lines(args[1]) do
    local method, path, cookie, encoding, tag, body = line:match("^(.-)\t(.-)\t(.-)\t(.-)\t(.-)\t(.*)$")
    local headers = {["Cookie"] = cookie, ["Sec-Fetch-Site"] = "same-origin"}
    if encoding ~= "" then headers["Accept-Encoding"] = encoding end
    if tag ~= "" then headers["If-None-Match"] = tag end
    if method == "POST" then
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      headers["HX-Request"] = "true"
    end
    requests[#requests + 1] = wrk.format(method, path, headers, method == "POST" and body or nil)
  end
end

function request()
  if not looked_at then -- wrk looks at one request before it begins, and does not send it
    looked_at = true
    return requests[1]
  end
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nfigures {"requests": %d, "seconds": %.6f, "p50_ms": %.4f, "p99_ms": %.4f, "errors": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
