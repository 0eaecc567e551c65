# Print jobs and their states.

module Jobs
  ROUTES = {
    'POST /printjobs' => :submit_job, 'GET /printjobs' => :list_jobs, 'DELETE /printjobs' => :cancel_jobs,
    'GET /printjobs/states' => :list_states, 'GET /printjobs/{print_job_set}' => :list_jobs,
    'DELETE /printjobs/{print_job_set}' => :cancel_jobs, 'GET /printjobs/{print_job_set}/states' => :list_states,
    'GET /printers/{printer_set}/printjobs' => :list_jobs_of_printers,
    'DELETE /printers/{printer_set}/printjobs' => :cancel_jobs_of_printers,
    'GET /printers/{printer_set}/printjobs/{print_job_set}' => :list_jobs_of_printers,
    'DELETE /printers/{printer_set}/printjobs/{print_job_set}' => :cancel_jobs_of_printers
  }.freeze

  JOB = {
    'printerId' => %i[natural required], 'contentType' => %i[string required], 'content' => %i[string required],
    'title' => :string, 'source' => :string, 'options' => :object, 'expireAfter' => :integer, 'qty' => :natural,
    'authentication' => :object
  }.freeze
  OPTIONS = {
    'bin' => :string, 'collate' => :boolean, 'color' => :boolean, 'copies' => :natural, 'dpi' => :string, 'duplex' => :string,
    'fit_to_page' => :boolean, 'media' => :string, 'nup' => :natural, 'pages' => :string, 'paper' => :string, 'rotate' => :integer
  }.freeze
  CONTENT_TYPES = %w[pdf_uri pdf_base64 raw_uri raw_base64].freeze
  STABLE = %w[new sent_to_client done error expired].freeze
  FINAL = %w[done error].freeze
  DAY_MS = 24 * 60 * 60 * 1000
  FORTNIGHT_SECONDS = 14 * 24 * 60 * 60
  CENTURY_SECONDS = 100 * 365 * 24 * 60 * 60
  DELIVERY_BYTES = 60 * 1024 * 1024
  OPTIONS_DEPTH = 30

  def jobs_of(account_id) = @store.table('job').each_value.select { |job| job['account'] == account_id }
  def waiting?(job) = @waiting.key?(job['id'])
  def final?(job) = job['final']

  # Jobs that were neither delivered nor given up, by id.
  def index_jobs
    @waiting = @store.table('job').select { |_, job| job['waiting'] }.sort.to_h
  end

  def submit_job(call)
    content, form = call.content
    job = read_job(content, form)
    idempotency = call.request['x-idempotency-key'].to_s
    check_idempotency(call.account, idempotency)
    raise ApiError.new(403, 'Suspended', 'the account is suspended') unless call.account['state'] == 'active'
    printer = @store.get('printer', job['printerId'])
    unless printer && printer['account'] == call.account['id'] && printer['listed']
      raise ApiError.new(404, 'NoSuchPrinter', 'the account has no such printer')
    end
    accept_job(call.account, printer, job, idempotency)
  end

  def list_jobs(call, set = nil) = jobs_shown(call, chosen(jobs_of(call.account['id']), set))
  def list_jobs_of_printers(call, printers, set = nil) = jobs_shown(call, of_printers(call, printers, set))
  def cancel_jobs(call, set = nil) = cancelled(chosen(jobs_of(call.account['id']), set))
  def cancel_jobs_of_printers(call, printers, set = nil) = cancelled(of_printers(call, printers, set))

  def list_states(call, set = nil)
    ok(page(call, chosen(jobs_of(call.account['id']), set)).map { |job| states_shown(job).reverse })
  end

  def withdraw(job)
    end_waiting(job)
    add_state(job, 'withdrawn', 'cancelled by a request')
  end

  # A job that a computer has, or may have: it can neither expire nor be cancelled.
  def delivered(job)
    end_waiting(job, keep_document: true)
    job['delivered'] = true
  end

  def add_state(job, state, message = '', data: nil, client_version: nil)
    entry = { 'state' => state, 'message' => message || '', 'data' => data || {}, 'clientVersion' => client_version, 'at' => now_ms }
    job['states'] << entry
    if FINAL.include?(state) && !job['final']
      job['final'] = true
      @store.remove('document', job['id'])
    end
    @store.put('job', job)
    emit('print job state', job['account'], state_shown(job, entry)) if STABLE.include?(state)
  end

  def expire_jobs
    now = now_ms
    @waiting.each_value.select { |job| job['expireAt'] <= now }.each do |job|
      end_waiting(job)
      add_state(job, 'expired', 'it could not be delivered in time')
    end
  end

  private

  def read_job(content, form)
    if content.is_a?(Hash) && (content['options'].nil? || (form && content['options'] == ''))
      content = content.reject { |name,| name == 'options' }
    end
    job = Content.fields(content, JOB, form: form)
    raise Content.bad("contentType must be one of #{CONTENT_TYPES.join(', ')}") unless CONTENT_TYPES.include?(job['contentType'])
    check_content(job)
    job['options'] = read_options(job.fetch('options', {}), form)
    job['authentication'] &&= read_authentication(job['authentication'], form)
    expiry = job['expireAfter']
    raise Content.bad('expireAfter must be from 1 to a century') unless expiry.nil? || expiry.between?(1, CENTURY_SECONDS)
    job
  end

  def check_content(job)
    content = job['content']
    raise Content.bad('content is empty') if content.empty?
    if job['contentType'].end_with?('_uri')
      raise Content.bad('content must be an absolute URI') unless content.match?(/\A[a-z][a-z0-9+.-]*:\S+\z/i)
    else
      plain = content.match?(/\s/) ? content.gsub(/\s+/, '') : content
      raise Content.bad('content must be base64') unless plain.match?(%r{\A[A-Za-z0-9+/]*={0,2}\z}) && (plain.size % 4).zero?
    end
  end

  def read_options(options, form)
    raise Content.bad('options are too deep') if Content.depth(options) > OPTIONS_DEPTH
    read = options.merge(Content.fields(options, OPTIONS, form: form, at: 'options.'))
    raise Content.bad('options.rotate must be 0, 90, 180 or 270') unless [nil, 0, 90, 180, 270].include?(read['rotate'])
    unless [nil, 'long-edge', 'short-edge', 'one-sided'].include?(read['duplex'])
      raise Content.bad('options.duplex must be long-edge, short-edge or one-sided')
    end
    read
  end

  def read_authentication(given, form)
    read = Content.fields(given, { 'type' => %i[string required], 'credentials' => %i[object required] }, form: form, at: 'authentication.')
    raise Content.bad('authentication.type must be BasicAuth or DigestAuth') unless %w[BasicAuth DigestAuth].include?(read['type'])
    names = { 'user' => %i[string required], 'pass' => %i[string required] }
    read.merge('credentials' => Content.fields(read['credentials'], names, form: form, at: 'authentication.credentials.'))
  end

  def check_idempotency(account, key)
    used = @store.get('idempotency', "#{account['id']}/#{key}")
    return if used.nil? || used['at'] + DAY_MS <= now_ms
    raise ApiError.new(409, 'Conflict', 'this X-Idempotency-Key was used within the last 24 hours')
  end

  def accept_job(account, printer, given, idempotency)
    document = given.slice('content', 'options', 'authentication')
    raise Content.bad('the job is too large to be delivered') if JSON.generate([document, given['title'], given['source']]).bytesize > DELIVERY_BYTES
    now = now_ms
    job = given.slice('printerId', 'contentType', 'title', 'source').merge(
      'id' => @store.next_id, 'account' => account['id'], 'computer' => printer['computer'], 'printerKey' => printer['key'],
      'qty' => given.fetch('qty', 1), 'at' => now, 'expireAt' => now + given.fetch('expireAfter', FORTNIGHT_SECONDS) * 1000,
      'waiting' => true, 'delivered' => false, 'final' => false, 'states' => []
    )
    @store.put('document', document.merge('id' => job['id']))
    unless idempotency.empty?
      @store.put('idempotency', 'id' => "#{account['id']}/#{idempotency}", 'account' => account['id'], 'at' => now)
    end
    @waiting[job['id']] = job
    add_state(job, 'new', 'taken')
    @store.put('account', account.merge!('prints' => account['prints'] + 1))
    deliver_to(job['computer'])
    Service::Reply.new(201, job['id'])
  end

  def end_waiting(job, keep_document: false)
    @waiting.delete(job['id'])
    job['waiting'] = false
    @store.remove('document', job['id']) unless keep_document
  end

  def of_printers(call, printers, set)
    ids = set_of(printers)
    chosen(jobs_of(call.account['id']), set).select { |job| ids[job['printerId']] }
  end

  def cancelled(jobs) = ok(jobs.select { |job| waiting?(job) }.each { |job| withdraw(job) }.map { |job| job['id'] })

  def jobs_shown(call, jobs)
    ok(page(call, jobs).map do |job|
      { 'progress' => job['states'].last['state'], 'job' => { 'number' => job['id'], 'title' => job['title'], 'from' => job['source'] },
        'on' => job['printerId'], 'kind' => job['contentType'], 'times' => job['qty'], 'taken' => timestamp(job['at']) }
    end)
  end

  def states_shown(job) = job['states'].map { |entry| state_shown(job, entry) }

  def state_shown(job, entry)
    { 'age' => entry['at'] - job['states'][0]['at'], 'createTimestamp' => timestamp(entry['at']),
      'clientVersion' => entry['clientVersion'], 'data' => entry['data'], 'message' => entry['message'],
      'state' => entry['state'], 'printJobId' => job['id'] }
  end
end
