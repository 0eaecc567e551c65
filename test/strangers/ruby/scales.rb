# Scale data, kept in memory for 45 seconds, over HTTP and over a websocket that only speaks.

module Scales
  ROUTES = {
    'GET /computer/{computer_id}/scales' => :list_scales, 'GET /computer/{computer_id}/scales/{device_name}' => :list_scales,
    'GET /computer/{computer_id}/scale/{device_name}/{device_number}' => :show_scale, 'PUT /scale' => :simulate_scale
  }.freeze
  RETENTION_MS = 45_000
  VIRTUAL = { 'vendor' => 'Nobody', 'product' => 'Nothing', 'vendorId' => 0, 'productId' => 0, 'port' => '' }.freeze
  FEED_PING_TICKS = 400
  Feed = Struct.new(:socket, :account, :key, :ticks)

  def start_scales
    @readings = {}
    @feeds = []
  end

  def list_scales(call, computer, name = nil)
    ok(readings_of(call.account['id'], number_of(computer), name).map { |reading| reading_shown(reading) })
  end

  def show_scale(call, computer, name, number)
    reading = readings_of(call.account['id'], number_of(computer), name, number_of(number)).last
    raise ApiError.new(404, 'NoSuchScale', 'this scale said nothing in the last 45 seconds') unless reading
    ok(reading_shown(reading))
  end

  def simulate_scale(call)
    grams = rand(1..2000)
    data = { 'mass' => [grams * 1_000_000, nil], 'measurement' => { 'g' => grams * 1_000_000_000 },
             'clientReportedCreateTimestamp' => utc(now_ms) }
    ok(reading_shown(take_reading([call.account['id'], 0, 'Service Test Scale', 0], VIRTUAL, data)))
  end

  # `key` is the account, the computer, the name and the number of the scale.
  def take_reading(key, scale, data)
    @readings.delete(key)
    reading = @readings[key] = { key: key, at: now_ms, data: scale.merge(data) }
    @feeds.each { |feed| feed.socket.text(JSON.generate(reading_shown(reading))) if feed.account['id'] == key[0] }
    reading
  end

  # The websocket wants a key as every request does, and says each reading of the account.
  def take_feed(request)
    account = account_of_request(request) or raise unauthorized('the scales of which account?')
    flaw = WebSocket.flaw(request)
    raise ApiError.new(400, 'BadUpgrade', flaw) if flaw
    feed = Feed.new(WebSocket.new(request, 1024), account, basic_key(request), 0)
    @store.transaction { @feeds << feed }
    feed.socket.each_message { nil }
    nil
  ensure
    @store.transaction { @feeds.delete(feed) }
  end

  def keep_scales
    @readings.delete_if { |_, reading| now_ms - reading[:at] >= RETENTION_MS }
    @feeds.each do |feed|
      feed.socket.tick
      feed.socket.ping if ((feed.ticks += 1) % FEED_PING_TICKS).zero?
      feed.socket.cut if feed.socket.quiet_ticks > 2.5 * FEED_PING_TICKS
    end
  end

  private

  def number_of(text)
    raise Content.bad('a number is digits', 'BadNumber') unless text.match?(/\A\d{1,18}\z/)
    text.to_i
  end

  def readings_of(account, *parts)
    @readings.each_value.select do |reading|
      now_ms - reading[:at] < RETENTION_MS && [account, *parts].zip(reading[:key]).all? { |part, own| part.nil? || part == own }
    end
  end

  def reading_shown(reading)
    _, computer, name, number = reading[:key]
    { 'ageOfData' => now_ms - reading[:at], 'ntpOffset' => nil, 'count' => nil, 'deviceNum' => number, 'deviceName' => name,
      'computerId' => computer }.merge(reading[:data])
  end
end
