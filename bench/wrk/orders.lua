-- Requests for wrk, and its figures as one line of JSON. Arguments: one request in so many is a cancel (0: none), the
-- position of the first order to cancel, and after how many answers to stop (0: when the time is over).
local bit = require('bit')

function init(args)
  local every, position, limit = tonumber(args[1]), tonumber(args[2]), tonumber(args[3])
  local requests, responses = 0, 0

  if every > 0 then
    local list, path = wrk.format(), wrk.path
    function request()
      requests = requests + 1
      if requests % every ~= 0 then return list end
      -- As idAt in orders.js has it.
      local id = 1000000000000000 + bit.bxor(position, 3) * 1009
      position = position + 1
      return wrk.format('DELETE', string.format('%s/%.0f', path, id))
    end
  end

  if limit > 0 then
    function response()
      responses = responses + 1
      if responses == limit then wrk.thread:stop() end
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%f,"mean":%f,"p50":%f,"p99":%f,"failed":%d,"refused":%d,"late":%d}',
    summary.requests, summary.duration / 1e6, latency.mean / 1e3, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write, errors.status, errors.timeout
  ))
end
