-- Requests for wrk, and its figures as one line of JSON. Arguments: one request in so many is a DELETE (0: none), and the
-- position of the first order to cancel.
local bit = require('bit')

function init(args)
  local every, position = tonumber(args[1]), tonumber(args[2])
  local requests = 0
  if every == 0 then return end

  local list, path = wrk.format(), wrk.path
  function request()
    requests = requests + 1
    if requests % every ~= 0 then return list end
    -- The formula of idAt in orders.js.
    local id = 1000000000000000 + bit.bxor(position, 3) * 1009
    position = position + 1
    return wrk.format('DELETE', string.format('%s/%.0f', path, id))
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%f,"p50":%f,"failed":%d,"rejected":%d,"late":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3,
    errors.connect + errors.read + errors.write, errors.status, errors.timeout
  ))
end
