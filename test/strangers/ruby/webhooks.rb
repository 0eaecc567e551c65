# Webhooks: their settings, the queues of their targets, and the counts.

require 'net/http'
require 'openssl'

module Webhooks
  ROUTES = {
    'GET /webhooks' => :list_webhooks, 'POST /webhook' => :create_webhook, 'PATCH /webhook/{webhook_id}' => :change_webhook,
    'DELETE /webhook/{webhook_id}' => :delete_webhook
  }.freeze

  WEBHOOK = { 'url' => :text, 'secret' => :string, 'messages' => :strings }.freeze
  WEBHOOKS = 5
  # What `messages` calls each type of event.
  MESSAGES = { 'computer state' => 'computer-state', 'print job state' => 'print-job-state' }.freeze
  STATISTICS = %w[receivedEvents droppedEvents successfulRequests failedRequests].freeze
  SCALES_MS = { 'exp7d' => 604_800_000.0, 'exp1d' => 86_400_000.0, 'exp1h' => 3_600_000.0, 'exp5m' => 300_000.0 }.freeze
  RETRY_MS = 5000
  ANSWER_SECONDS = 12

  # A webhook with the address and secret that it had when an event came: [webhook id, url, secret].
  Target = Struct.new(:place, :events, :failed_at, :busy)

  def start_webhooks
    @targets = {}
    @store.table('event').each_value.sort_by { |event| event['id'] }.each { |event| target_of(event['target']).events << event }
  end

  def list_webhooks(call) = ok(webhooks_of(call.account['id']).reverse.map { |webhook| webhook_shown(webhook) })

  def create_webhook(call)
    content, form = call.content
    fields = Content.fields(content, WEBHOOK.transform_values { |type| [type, :required] }, form: form)
    check_webhook(fields)
    if webhooks_of(call.account['id']).size >= WEBHOOKS
      raise ApiError.new(422, 'Enough', "an account has at most #{WEBHOOKS} webhooks")
    end
    zero = { 'counts' => 0, 'at' => now_ms }.merge(SCALES_MS.transform_values { 0.0 })
    @store.put('webhook', fields.merge('id' => @store.next_id, 'account' => call.account['id'],
                                       'statistics' => STATISTICS.to_h { |name| [name, zero.dup] }))
    list_webhooks(call)
  end

  def change_webhook(call, id)
    content, form = call.content
    webhook = webhook_named(call, id)
    fields = Content.fields(content, WEBHOOK, form: form)
    check_webhook(fields)
    @store.put('webhook', webhook.merge!(fields))
    list_webhooks(call)
  end

  def delete_webhook(call, id)
    @store.remove('webhook', webhook_named(call, id)['id'])
    list_webhooks(call)
  end

  def emit(type, account_id, data)
    account = @store.get('account', account_id)
    event = { 'data' => data, 'createdAt' => timestamp(now_ms), 'controllingAccountId' => account['parent'] || account_id,
              'accountId' => account_id, 'type' => type }
    webhooks_of(account_id).each do |webhook|
      next unless webhook['messages'].include?('*') || webhook['messages'].include?(MESSAGES[type])
      count(webhook['id'], 'receivedEvents')
      target = target_of([webhook['id'], webhook['url'], webhook['secret']])
      target.events << @store.put('event', 'id' => @store.next_id, 'target' => target.place, 'retried' => false, 'event' => event)
    end
    @store.afterwards { send_due_events }
  end

  # One request at a time to each target, with all that is due.
  def send_due_events
    @targets.each_value do |target|
      next if target.busy || target.events.empty?
      next if target.failed_at && now_ms < target.failed_at + RETRY_MS
      target.busy = true
      batch = target.events.dup
      Thread.new { deliver_events(target, batch) }.report_on_exception = false
    end
    @targets.delete_if { |_, target| target.events.empty? && !target.busy && @store.get('webhook', target.place[0]).nil? }
  end

  private

  def webhooks_of(account_id)
    @store.table('webhook').each_value.select { |webhook| webhook['account'] == account_id }.sort_by { |webhook| webhook['id'] }
  end

  def webhook_named(call, id)
    webhook = @store.get('webhook', id.to_i) if id.match?(/\A\d+\z/)
    return webhook if webhook && webhook['account'] == call.account['id']
    raise ApiError.new(404, 'NoSuchWebhook', 'the account has no such webhook')
  end

  def check_webhook(fields)
    if fields.key?('url')
      address = begin
        URI.parse(fields['url'])
      rescue URI::InvalidURIError
        nil
      end
      raise Content.bad('url must be an http or https address') unless address.is_a?(URI::HTTP) && !address.host.to_s.empty?
    end
    messages = fields.fetch('messages', ['*'])
    return if messages == ['*']
    raise Content.bad('messages: beside * there can be nothing') if messages.include?('*')
    unless (messages - MESSAGES.values).empty?
      raise Content.bad("messages: there are #{MESSAGES.values.join(', ')} and *")
    end
  end

  def target_of(place) = @targets[place] ||= Target.new(place, [], nil, false)

  def deliver_events(target, batch)
    success = post_events(target.place, JSON.generate(batch.map { |event| event['event'] }))
    @store.transaction do
      target.busy = false
      target.events.shift(batch.size)
      target.failed_at = success ? nil : now_ms
      count(target.place[0], success ? 'successfulRequests' : 'failedRequests')
      success ? batch.each { |event| @store.remove('event', event['id']) } : queue_again(target, batch)
    end
  end

  def queue_again(target, batch)
    dropped, again = batch.partition { |event| event['retried'] }
    dropped.each do |event|
      @store.remove('event', event['id'])
      count(target.place[0], 'droppedEvents')
    end
    again.each { |event| @store.put('event', event.merge!('retried' => true)) }
    target.events.unshift(*again)
  end

  # Whether a target took them: a 2xx status and the header that says so. The body of its answer does not matter.
  def post_events((_, url, secret), text)
    address = URI.parse(url)
    http = Net::HTTP.new(address.host, address.port, nil)
    http.use_ssl = address.is_a?(URI::HTTPS)
    http.open_timeout = nil # Net::HTTP would wait on a clock that may be moved
    http.read_timeout = ANSWER_SECONDS
    http.max_retries = 0
    headers = { 'Content-Type' => 'application/json', 'Connection' => 'close',
                'Authorization' => "Webhook-Secret #{URI.encode_www_form_component(secret)}" }
    request = Net::HTTP::Post.new(address.request_uri, headers)
    catch(:answered) do
      http.start { http.request(request, text) { |answer| throw :answered, accepted?(answer) } }
      false
    end
  rescue StandardError
    false
  end

  def accepted?(answer) = answer.is_a?(Net::HTTPSuccess) && answer['X-Service-Webhook-Status'].to_s.strip == 'OK'

  def count(webhook_id, name)
    webhook = @store.get('webhook', webhook_id) or return
    statistic = webhook['statistics'][name]
    statistic.merge!(decayed(statistic))
    SCALES_MS.each_key { |scale| statistic[scale] += 1 }
    @store.put('webhook', webhook.merge!('statistics' => webhook['statistics'].merge(name => statistic.merge('counts' => statistic['counts'] + 1))))
  end

  def decayed(statistic)
    now = now_ms
    SCALES_MS.to_h { |scale, length| [scale, statistic[scale] * Math.exp((statistic['at'] - now) / length)] }.merge('at' => now)
  end

  def webhook_shown(webhook)
    statistics = STATISTICS.to_h do |name|
      statistic = webhook['statistics'][name]
      [name, { 'straight' => { 'counts' => statistic['counts'] }, 'fading' => decayed(statistic).slice(*SCALES_MS.keys) }]
    end
    statistics.merge('messages' => webhook['messages'], 'secret' => webhook['secret'], 'url' => webhook['url'],
                     'webhookId' => webhook['id'])
  end
end
