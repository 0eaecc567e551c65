# The service: every request on its way from admission to answer. Its chapters are the modules it includes.

require 'digest'
require 'securerandom'
require 'time'
require_relative 'content'
require_relative 'http'
require_relative 'websocket'
require_relative 'store'
require_relative 'accounts'
require_relative 'devices'
require_relative 'jobs'
require_relative 'scales'
require_relative 'webhooks'
require_relative 'link'

class Service
  include Accounts
  include Devices
  include Jobs
  include Scales
  include Webhooks
  include Link

  TICK_SECONDS = 0.05
  BURST = 30
  REQUESTS_PER_SECOND = 10.0
  CHILD_HEADERS = %w[X-Child-Account-By-Id X-Child-Account-By-Email X-Child-Account-By-CreatorRef].freeze
  METHODS = %w[GET HEAD POST PUT PATCH DELETE OPTIONS].freeze
  EVERY_ANSWER = {
    'Api-Version' => '3.0.0',
    'content-type' => 'application/json; charset=utf-8',
    'Access-Control-Allow-Origin' => '*',
    'Access-Control-Allow-Methods' => METHODS.join(', '),
    'Access-Control-Allow-Headers' =>
      "Authorization, Content-Type, Accept-Version, X-Idempotency-Key, X-Pretty, X-Dont-Log, #{CHILD_HEADERS.join(', ')}",
    'Access-Control-Expose-Headers' =>
      'Request-Id, Elapsed, Response-Time, Api-Version, Content-MD5, X-Account, X-Auth-With, X-Authorized-As, ' \
      "Records-Returned, Records-Returned-Offset, Records-Returned-Limit, Records-Total, #{CHILD_HEADERS.join(', ')}"
  }.freeze

  ROUTES = [Accounts, Devices, Jobs, Scales, Webhooks].flat_map { |chapter| chapter::ROUTES.to_a }.map do |form, handler|
    method, path = form.split
    [method, path.split('/').drop(1), handler]
  end

  # One request: what it asks, who asks, and for which account.
  Call = Struct.new(:request, :caller, :account, :body, :headers, keyword_init: true) do
    def query = request.query
    def acts_for_child? = caller != account

    # The body as it was sent, and whether it is a form, whose values are all text.
    def content
      type = (request['content-type'] || 'application/json').split(';')[0].to_s.strip.downcase
      return [Content.json(body), false] if type == 'application/json'
      return [Content.form(body), true] if type == 'application/x-www-form-urlencoded'
      raise ApiError.new(415, 'UnknownMediaType', 'bodies are application/json or application/x-www-form-urlencoded')
    end
  end

  Reply = Struct.new(:status, :value)

  attr_reader :store

  def initialize(folder)
    @store = Store.new(folder)
    @buckets = {}
    start_scales
    start_webhooks
    start_link
    index_jobs
  end

  # --- time

  def now_ms = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)

  # An hour east of Greenwich: ISO 8601 all the same.
  def timestamp(milliseconds) = Time.at(milliseconds.div(1000), milliseconds % 1000, :millisecond, in: '+01:00').iso8601(3)
  def utc(milliseconds) = Time.at(milliseconds.div(1000), milliseconds % 1000, :millisecond).utc.iso8601(3)

  def keep_time
    loop do
      sleep TICK_SECONDS
      @store.transaction do
        expire_jobs
        send_due_events
        beat_links
        keep_scales
      end
    rescue StandardError => e
      warn e.full_message
    end
  end

  # --- requests

  def call(request)
    headers = EVERY_ANSWER.merge('REQUEST-ID' => "rb:#{SecureRandom.alphanumeric(20)}")
    status, value =
      begin
        reply = answer(request, headers) or return nil
        [reply.status, reply.value]
      rescue ApiError => e
        headers.merge!(e.headers)
        [e.status, error(headers, e.code, e.message)]
      rescue EOFError, IOError, SystemCallError
        raise
      rescue StandardError => e
        warn e.full_message
        [500, error(headers, 'Broken', 'the service made a mistake')]
      end
    finish(request, status, headers, value)
  end

  def error(headers, code, message) = { 'message' => message, 'uid' => headers['REQUEST-ID'], 'code' => code }
  def stop = @store.transaction { close_links }

  private

  def ok(value) = Reply.new(200, value)

  def finish(request, status, headers, value)
    pretty = request['x-pretty']
    text = pretty ? JSON.pretty_generate(value, escape_slash: true) : JSON.generate(value, ascii_only: true, escape_slash: true)
    headers['content-md5'] = [Digest::MD5.digest(text)].pack('m0')
    headers['ELAPSED'] = format('%.6f', Process.clock_gettime(Process::CLOCK_MONOTONIC) - request.started)
    headers['response-time'] = utc(now_ms)
    [status, headers, text]
  end

  def answer(request, headers)
    raise request.flaw if request.flaw
    return ok(METHODS) if request.method == 'OPTIONS'
    segments = segments_of(request)
    return take_feed(request) if request.upgrade? && segments == ['feed']
    return take_link(request) if request.upgrade? && segments == ['link']
    if segments == ['ping'] && %w[GET HEAD].include?(request.method)
      @store.transaction { spend("address #{request.ip}") }
      return ok('up' => true)
    end
    call = @store.transaction { admit(request, headers) }
    handler, parameters = route(request.method, segments)
    call.body = request.body.read
    @store.transaction { send(handler, call, *parameters) }
  end

  def segments_of(request)
    path = request.path.split('/', -1).drop(1).map { |part| URI.decode_www_form_component(part.gsub('+', '%2B')) }
    raise ArgumentError unless path.all?(&:valid_encoding?)
    path
  rescue ArgumentError
    raise ApiError.new(400, 'BadPath', 'the path cannot be decoded')
  end

  def route(method, segments)
    fitting = ROUTES.filter_map do |verb, pattern, handler|
      next unless pattern.size == segments.size
      next unless pattern.zip(segments).all? { |form, part| form.start_with?('{') ? !part.empty? : form == part }
      [verb, handler, pattern.zip(segments).filter_map { |form, part| part if form.start_with?('{') }]
    end
    raise ApiError.new(404, 'NoSuchPath', 'the API has no such path') if fitting.empty?
    wanted = method == 'HEAD' ? 'GET' : method
    found = fitting.find { |verb,| verb == wanted }
    allowed = fitting.map(&:first).join(', ')
    raise ApiError.new(405, 'NoSuchMethod', "this path has #{allowed}", 'allow' => allowed) unless found
    found.drop(1)
  end

  # --- who asks

  def admit(request, headers)
    account = account_of_request(request)
    unless account
      spend("address #{request.ip}")
      raise unauthorized('an API key as user name of HTTP Basic, and no password')
    end
    acting = child_of_headers(request, account, headers) || account
    spend("account #{acting['id']}")
    headers['X-ACCOUNT'] = acting['id']
    headers['X-Auth-With'] = 'ApiKey'
    Call.new(request: request, caller: account, account: acting, headers: headers)
  end

  def unauthorized(message) = ApiError.new(401, 'InvalidCredentials', message, 'WWW-Authenticate' => 'Basic realm=Api')

  def basic_key(request)
    scheme, coded = request['authorization'].to_s.split(' ', 2)
    return nil unless scheme.to_s.downcase == 'basic'
    user, password = coded.to_s.unpack1('m0').split(':', 2)
    user if password == ''
  rescue ArgumentError
    nil
  end

  def account_of_request(request)
    account = account_of_key(basic_key(request))
    account if account && account['state'] == 'active'
  end

  def child_of_headers(request, account, headers)
    given = CHILD_HEADERS.select { |name| request[name] }
    return nil if given.empty?
    children = given.map { |name| child_named(account, name, request[name]) }.uniq
    raise unauthorized('the header names no Child Account of yours') if children.size != 1 || children[0].nil?
    given.each { |name| headers[name] = request[name] }
    headers['X-Authorized-As'] = account['id']
    children[0]
  end

  def spend(scope)
    at = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    tokens, since = @buckets[scope] || [BURST, at]
    tokens = [BURST, tokens + (at - since) * REQUESTS_PER_SECOND].min
    @buckets.clear if @buckets.size > 100_000
    @buckets[scope] = [tokens < 1 ? tokens : tokens - 1, at]
    return if tokens >= 1
    raise ApiError.new(429, 'TooManyRequests', 'ten requests a second, please', 'Retry-After' => '1')
  end

  # --- sets and pages

  def set_of(text)
    return nil unless text
    raise Content.bad('a set is positive integers with commas between', 'BadSet') unless text.match?(/\A0*[1-9]\d*(,0*[1-9]\d*)*\z/)
    text.split(',').to_h { |number| [number.to_i, true] }
  end

  def page(call, records)
    limit, descending, after = paging(call.query)
    records = records.sort_by { |record| record['id'] }
    records.reverse! if descending
    start = 0
    start = records.index { |record| descending ? record['id'] < after : record['id'] > after } || records.size if after
    shown = records[start, limit]
    call.headers.merge!('Records-Returned' => shown.size, 'records-returned-offset' => start,
                        'Records-Returned-Limit' => limit, 'RECORDS-TOTAL' => records.size)
    shown
  end

  MOST_RECORDS = 400

  def paging(query)
    limit = query.fetch('limit', '100')
    dir = query.fetch('dir', 'desc')
    after = query.fetch('after', '')
    raise Content.bad('limit must be a positive integer', 'BadQuery') unless limit.match?(/\A0*[1-9]\d*\z/)
    raise Content.bad('dir must be asc or desc', 'BadQuery') unless %w[asc desc].include?(dir)
    raise Content.bad('after must be an id', 'BadQuery') unless after.match?(/\A\d*\z/)
    [[limit.to_i, MOST_RECORDS].min, dir == 'desc', after.empty? ? nil : after.to_i]
  end
end
