# The device link of docs/device-link.md: computers connect, report, and get their jobs.

require 'set'

module Link
  PROTOCOL = 'platen.link.v1'
  FRAME_BYTES = 4 * 1024 * 1024
  DEPTH = 32
  VALUES = 50_000
  HEARTBEAT_TICKS = 160
  HELLO_TICKS = 200
  UNACKNOWLEDGED = 8
  SERVICE_STATES = %w[new sent_to_client expired].freeze

  # A connection. `pending` are deliveries without acknowledgement, id => job id; `again` the ids of jobs to deliver again.
  Connection = Struct.new(:socket, :account, :key, :computer, :pending, :again, :deliveries, :ticks, keyword_init: true)

  class BadMessage < StandardError; end

  # Rules for fields, as procs: texts are measured in code units of UTF-16.
  TEXT = ->(least, most) { ->(v) { v.is_a?(String) && v.encode('UTF-16LE').bytesize.between?(2 * least, 2 * most) } }
  MAYBE = ->(rule) { ->(v) { v.nil? || rule.call(v) } }
  WHOLE = ->(least) { ->(v) { v.is_a?(Integer) && v.between?(least, 2**53 - 1) } }
  OBJECT = ->(most) { ->(v) { v.is_a?(Hash) && TEXT[0, most].call(JSON.generate(v)) } }
  LIST = ->(most, rule) { ->(v) { v.is_a?(Array) && v.size <= most && v.all?(&rule) } }
  RECORD = ->(fields) { ->(v) { v.is_a?(Hash) && fields.all? { |name, rule| v.key?(name) && rule.call(v[name]) } } }
  TIME = lambda do |v|
    v.is_a?(String) && v.match?(/\A\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)\z/) && !Time.parse(v).nil?
  rescue ArgumentError
    false
  end
  ID = TEXT[1, 100]
  CLIENT = { 'installationId' => ID, 'computerName' => TEXT[1, 1000], 'hostname' => MAYBE[TEXT[0, 1000]] }
           .merge(%w[inet inet6 version edition].to_h { |name| [name, MAYBE[TEXT[0, 100]]] }).freeze
  PRINTER = { 'key' => TEXT[1, 200], 'name' => TEXT[0, 1000], 'description' => TEXT[0, 1000],
              'default' => MAYBE[->(v) { [true, false].include?(v) }], 'state' => MAYBE[TEXT[0, 100]],
              'capabilities' => MAYBE[OBJECT[65_536]] }.freeze
  SCALE = { 'key' => TEXT[1, 400], 'deviceName' => TEXT[0, 1000], 'vendorId' => WHOLE[0], 'productId' => WHOLE[0] }
          .merge(%w[vendor product port].to_h { |name| [name, MAYBE[TEXT[0, 1000]]] }).freeze
  MESSAGES = {
    'hello' => { 'client' => RECORD[CLIENT], 'holding' => LIST[25_000, WHOLE[1]] },
    'printers' => { 'id' => ID, 'printers' => LIST[1000, RECORD[PRINTER]] },
    'scales' => { 'id' => ID, 'scales' => LIST[1000, RECORD[SCALE]] },
    'job-state' => { 'id' => ID, 'jobId' => WHOLE[1], 'state' => ID, 'message' => MAYBE[TEXT[0, 10_000]],
                     'data' => MAYBE[OBJECT[65_536]], 'createTimestamp' => TIME },
    'reading' => { 'id' => ID, 'scaleKey' => TEXT[0, 400], 'clientReportedCreateTimestamp' => TIME,
                   'mass' => ->(v) { LIST[2, MAYBE[WHOLE[1 - 2**53]]].call(v) && v.size == 2 },
                   'measurement' => ->(v) { OBJECT[10_000].call(v) && v.values.all?(Numeric) } },
    'ack' => { 'id' => ID }
  }.freeze

  def start_link
    @links = []
    @scales = {}
  end

  def links_of(computer_id) = @links.select { |link| link.computer && link.computer['id'] == computer_id }
  def connected?(computer) = @links.any? { |link| link.computer.equal?(computer) }

  def take_link(request)
    link = @store.transaction { admit_link(request) }
    link.socket = WebSocket.new(request, FRAME_BYTES, PROTOCOL)
    @store.transaction { @links << link }
    link.socket.each_message do |opcode, bytes|
      @store.transaction { read_link(link, opcode, bytes) }
    end
    nil
  ensure
    @store.transaction { end_link(link) } if link
  end

  def beat_links
    @links.dup.each do |link|
      link.ticks += 1
      link.socket.tick
      refuse_link(link, 'no hello came') if link.computer.nil? && link.ticks == HELLO_TICKS
      if link.socket.quiet_ticks > HEARTBEAT_TICKS * 2.5
        link.socket.cut
      elsif (link.ticks % HEARTBEAT_TICKS).zero?
        link.socket.ping
      end
    end
  end

  def ask_for_reports(computer_id) = links_of(computer_id).each { |link| say(link, 'type' => 'refresh') }

  def close_sockets_of(account_id, key = nil)
    @links.dup.each do |link|
      close_link(link, 4401, 'the key is no longer valid') if link.account['id'] == account_id && (key.nil? || link.key == key)
    end
    @feeds.each do |feed|
      feed.socket.close(4401) if feed.account['id'] == account_id && (key.nil? || feed.key == key)
    end
  end

  def close_links_of(computer_id, code)
    links_of(computer_id).each { |link| close_link(link, code, 'the computer was deleted') }
    @scales.delete(computer_id)
    @readings.delete_if { |(_, computer), _| computer == computer_id }
  end

  def close_links
    @links.dup.each { |link| close_link(link, 1001, 'the service ends') }
    @feeds.each { |feed| feed.socket.close(1001) }
  end

  # Deliveries go to the newest connection: first what has to be sent again, then what waits.
  def deliver_to(computer_id)
    link = links_of(computer_id).last or return
    while link.pending.size < UNACKNOWLEDGED
      id = link.again.shift
      job = id ? @store.get('job', id) : @waiting.each_value.find { |one| one['computer'] == computer_id && one['expireAt'] > now_ms }
      break unless job || id
      deliver(link, job) if job && !final?(job)
    end
  end

  private

  def admit_link(request)
    key = basic_key(request)
    account = account_of_request(request)
    unless account
      client = key && @store.table('clientkey').each_value.find { |record| record['key'] == key }
      account = client && @store.get('account', client['account'])
    end
    if account.nil? || account['state'] != 'active' || Service::CHILD_HEADERS.any? { |name| request[name] }
      raise unauthorized('the key opens no link')
    end
    unless request['sec-websocket-protocol'].to_s.split(/\s*,\s*/).include?(PROTOCOL)
      raise ApiError.new(426, 'NoCommonVersion', "this service speaks #{PROTOCOL}",
                         'Sec-WebSocket-Protocol' => PROTOCOL, 'Upgrade' => 'websocket')
    end
    flaw = WebSocket.flaw(request)
    raise ApiError.new(400, 'BadUpgrade', flaw) if flaw
    Connection.new(account: account, key: key, pending: {}, again: [], deliveries: 0, ticks: 0)
  end

  def say(link, message) = @store.afterwards { link.socket.text(JSON.generate(message)) }
  def acknowledge(link, message) = say(link, 'id' => message['id'], 'type' => 'ack')

  def refuse_link(link, why)
    say(link, 'type' => 'error', 'code' => 'NotUnderstood', 'message' => why)
    close_link(link, 4400, why)
  end

  def close_link(link, code, why)
    @store.afterwards { link.socket.close(code, why) }
    end_link(link)
  end

  def end_link(link)
    return unless @links.delete(link)
    computer = link.computer
    link.computer = nil
    return unless computer && @store.get('computer', computer['id'])
    heir = links_of(computer['id']).last
    if heir
      heir.again |= link.pending.values - heir.pending.values
      deliver_to(computer['id'])
    else
      emit_computer(computer)
    end
  end

  def emit_computer(computer)
    emit('computer state', computer['account'], { 'about' => computer['id'], 'state' => connected?(computer) ? 'present' : 'disconnected' })
  end

  def read_link(link, opcode, bytes)
    return unless @links.include?(link)
    message = parsed(opcode, bytes)
    type = message['type']
    raise BadMessage, 'hello comes first, and once' if link.computer.nil? != (type == 'hello')
    raise BadMessage, 'this is no type of a message' unless MESSAGES.key?(type)
    wrong, = MESSAGES[type].find { |name, rule| !message.key?(name) || !rule.call(message[name]) }
    raise BadMessage, "#{type}: #{wrong} is missing or wrong" if wrong
    send("report_#{type.tr('-', '_')}", link, message)
  rescue BadMessage => e
    refuse_link(link, e.message)
  end

  def parsed(opcode, bytes)
    raise BadMessage, 'a message is a text frame' unless opcode == 1
    message = Content.json(bytes)
    raise BadMessage, 'a message is an object' unless message.is_a?(Hash)
    raise BadMessage, "a message nests at most #{DEPTH} levels" if Content.depth(message) > DEPTH
    raise BadMessage, "a message holds at most #{VALUES} values" if values(message) > VALUES
    message
  rescue ApiError => e
    raise BadMessage, e.message
  end

  def values(value)
    items = case value
            when Hash then value.values
            when Array then value
            else return 0
            end
    items.size + items.sum { |item| values(item) }
  end

  def report_hello(link, message)
    client = message['client']
    computer = computers_of(link.account['id']).find { |one| one['installationId'] == client['installationId'] } ||
               { 'id' => @store.next_id, 'account' => link.account['id'], 'at' => now_ms }
    known = connected?(computer)
    computer.merge!(client.slice(*CLIENT.keys))
    link.computer = @store.put('computer', computer)
    # The newest connection is the last of the list, whenever it was opened.
    @links.push(@links.delete(link))
    holding = message['holding'].to_set
    link.again = jobs_of(link.account['id']).select do |job|
      job['computer'] == computer['id'] && job['delivered'] && !final?(job) && !holding.include?(job['id'])
    end.map { |job| job['id'] }.sort
    say(link, 'heartbeatMs' => (HEARTBEAT_TICKS * Service::TICK_SECONDS * 1000).to_i, 'accountId' => link.account['id'],
              'computerId' => computer['id'], 'type' => 'welcome', 'greeting' => 'hello')
    emit_computer(computer) unless known
    deliver_to(computer['id'])
  end

  def deliver(link, job)
    document = @store.get('document', job['id'])
    delivered(job)
    add_state(job, 'sent_to_client', 'on its way')
    id = "#{SecureRandom.hex(4)}/#{link.deliveries += 1}"
    link.pending[id] = job['id']
    say(link, document.slice('content', 'options', 'authentication').merge(
      'authentication' => document['authentication'], 'expireAt' => timestamp(job['expireAt']), 'createTimestamp' => timestamp(job['at']),
      'qty' => job['qty'], 'contentType' => job['contentType'], 'source' => job['source'], 'title' => job['title'] || '',
      'printerKey' => job['printerKey'], 'jobId' => job['id'], 'id' => id, 'type' => 'job'
    ))
  end

  def report_ack(link, message)
    raise BadMessage, 'ack: nothing with this id was sent' unless link.pending.delete(message['id'])
    deliver_to(link.computer['id'])
  end

  def report_printers(link, message)
    computer = link.computer
    listed = message['printers'].to_h { |printer| [printer['key'], printer] }
    known = @store.table('printer').each_value.select { |printer| printer['computer'] == computer['id'] }.to_h { |one| [one['key'], one] }
    (known.keys - listed.keys).each { |key| @store.put('printer', known[key].merge!('listed' => false)) if known[key]['listed'] }
    listed.each do |key, printer|
      record = known[key] || { 'id' => @store.next_id, 'computer' => computer['id'], 'account' => computer['account'], 'at' => now_ms }
      @store.put('printer', record.merge!(printer.slice(*PRINTER.keys), 'listed' => true))
    end
    acknowledge(link, message)
  end

  def report_scales(link, message)
    before = @scales.fetch(link.computer['id'], {})
    listed = message['scales'].to_h { |scale| [scale['key'], scale] }
    kept = listed.filter_map { |key, scale| [key, before[key]['deviceNum']] if before[key] && before[key]['deviceName'] == scale['deviceName'] }.to_h
    @scales[link.computer['id']] = listed.each_with_object({}) do |(key, scale), numbered|
      used = kept.filter_map { |other, number| number if listed[other]['deviceName'] == scale['deviceName'] }
      kept[key] ||= (0..).find { |number| !used.include?(number) }
      numbered[key] = scale.slice(*SCALE.keys).merge('deviceNum' => kept[key])
    end
    acknowledge(link, message)
  end

  def report_reading(link, message)
    acknowledge(link, message)
    scale = @scales.fetch(link.computer['id'], {})[message['scaleKey']] or return
    device = { 'vendor' => scale['vendor'] || '', 'product' => scale['product'], 'vendorId' => scale['vendorId'],
               'productId' => scale['productId'], 'port' => scale['port'] || '' }
    data = message.slice('mass', 'measurement', 'clientReportedCreateTimestamp')
    take_reading([link.account['id'], link.computer['id'], scale['deviceName'], scale['deviceNum']], device, data)
  end

  def report_job_state(link, message)
    job = @store.get('job', message['jobId'])
    report = "#{link.computer['id']}:#{message['id']}"
    if job && job['computer'] == link.computer['id'] && !@store.get('report', report)
      @store.put('report', 'id' => report)
      record_state(link, job, message) unless SERVICE_STATES.include?(message['state'])
    end
    acknowledge(link, message)
  end

  def record_state(link, job, message)
    delivered(job) unless job['delivered']
    add_state(job, message['state'], message['message'], data: message['data'], client_version: link.computer['version'])
  end
end
