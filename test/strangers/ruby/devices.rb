# Computers, printers, client keys and client downloads.

module Devices
  ROUTES = {
    'GET /computers' => :list_computers, 'GET /computers/{computer_set}' => :list_computers,
    'DELETE /computers' => :delete_computers, 'DELETE /computers/{computer_set}' => :delete_computers,
    'GET /printers' => :list_printers, 'GET /printers/refresh' => :refresh_printers,
    'GET /printers/{printer_set}' => :list_printers, 'GET /computers/{computer_set}/printers' => :list_printers_of_computers,
    'GET /computers/{computer_set}/printers/{printer_set}' => :list_printers_of_computers,
    'GET /client/key/{uuid}' => :client_key, 'GET /download/client/{os}' => :latest_download,
    'GET /download/client/{edition}/{os}' => :latest_download_of_edition, 'GET /download/clients' => :list_downloads,
    'GET /download/clients/{os_or_set}' => :show_downloads, 'PATCH /download/clients/{download_id_set}' => :change_downloads
  }.freeze

  UUID4 = /\A\h{8}-\h{4}-4\h{3}-[89ab]\h{3}-\h{12}\z/i.freeze
  # [id, system, version]
  DOWNLOADS = [[11, 'osx', '4.9.12'], [12, 'osx', '4.10.2'], [21, 'windows', '4.9.12'], [22, 'windows', '4.10.2']].freeze

  def computers_of(account_id) = @store.table('computer').each_value.select { |computer| computer['account'] == account_id }

  # A printer that its computer no longer lists does not exist any more, until it is listed again.
  def printers_of(account_id)
    @store.table('printer').each_value.select { |printer| printer['account'] == account_id && printer['listed'] }
  end

  def list_computers(call, set = nil)
    ok(page(call, chosen(computers_of(call.account['id']), set)).map { |computer| computer_shown(computer) })
  end

  def delete_computers(call, set = nil)
    gone = chosen(computers_of(call.account['id']), set)
    gone.each { |computer| forget_computer(computer, 4404) }
    ok(gone.map { |computer| computer['id'] })
  end

  def forget_computer(computer, code)
    @store.table('job').each_value.select { |job| job['computer'] == computer['id'] && waiting?(job) }.each { |job| withdraw(job) }
    @store.table('printer').each_value.select { |printer| printer['computer'] == computer['id'] }
          .each { |printer| @store.remove('printer', printer['id']) }
    @store.table('report').keys.select { |id| id.start_with?("#{computer['id']}:") }.each { |id| @store.remove('report', id) }
    @store.remove('computer', computer['id'])
    close_links_of(computer['id'], code)
  end

  def list_printers(call, set = nil)
    ok(page(call, chosen(printers_of(call.account['id']), set)).map { |printer| printer_shown(printer) })
  end

  def list_printers_of_computers(call, computer_set, set = nil)
    computers = set_of(computer_set)
    printers = printers_of(call.account['id']).select { |printer| computers[printer['computer']] }
    ok(page(call, chosen(printers, set)).map { |printer| printer_shown(printer) })
  end

  def refresh_printers(call)
    computers = computers_of(call.account['id'])
    computers.each { |computer| ask_for_reports(computer['id']) }
    ok(computers.size)
  end

  def client_key(call, uuid)
    raise Content.bad('the UUID must be one of version 4') unless uuid.match?(UUID4)
    missing = %w[edition version].find { |name| call.query.fetch(name, '').empty? }
    raise Content.bad("#{missing} is missing") if missing
    id = "#{call.account['id']}/#{uuid.downcase}"
    record = @store.get('clientkey', id) ||
             @store.put('clientkey', 'id' => id, 'account' => call.account['id'], 'key' => SecureRandom.alphanumeric(47))
    ok(record['key'])
  end

  def latest_download(call, system)
    latest = downloads_of(call.account).select { |record| record['system'] == system && record['enabled'] }
                                       .max_by { |record| record['version'].split('.').map(&:to_i) }
    raise ApiError.new(404, 'NoSuchDownload', 'no client for this operating system is enabled') unless latest
    ok(latest)
  end

  def latest_download_of_edition(call, _edition, system) = latest_download(call, system)
  def list_downloads(call) = ok(downloads_of(call.account))

  def show_downloads(call, os_or_set)
    return latest_download(call, os_or_set) if os_or_set.match?(/\A[a-z]+\z/)
    set = set_of(os_or_set)
    ok(downloads_of(call.account).select { |record| set[record['download']] })
  end

  def change_downloads(call, set)
    content, form = call.content
    enabled = Content.fields(content, { 'enabled' => %i[boolean required] }, form: form)['enabled']
    ids = set_of(set)
    disabled = DOWNLOADS.map(&:first).select { |id| ids[id] ? !enabled : (call.account['disabled'] || []).include?(id) }
    @store.put('account', call.account.merge!('disabled' => disabled))
    show_downloads(call, set)
  end

  private

  def chosen(records, set)
    ids = set_of(set)
    ids ? records.select { |record| ids[record['id']] } : records
  end

  def computer_shown(computer)
    { 'state' => connected?(computer) ? 'present' : 'disconnected', 'createTimestamp' => utc(computer['at']), 'jre' => nil,
      'version' => computer['version'], 'hostname' => computer['hostname'], 'inet6' => computer['inet6'],
      'inet' => computer['inet'], 'name' => computer['computerName'], 'id' => computer['id'], 'edition' => computer['edition'] }
  end

  def printer_shown(printer)
    computer = @store.get('computer', printer['computer'])
    { 'state' => connected?(computer) ? printer['state'] || 'unknown' : 'out of reach', 'createTimestamp' => timestamp(printer['at']),
      'default' => printer['default'], 'capabilities' => printer['capabilities'], 'description' => printer['description'],
      'name' => printer['name'], 'computer' => computer_shown(computer), 'id' => printer['id'] }
  end

  def downloads_of(account)
    DOWNLOADS.map do |id, system, version|
      { 'download' => id, 'system' => system, 'version' => version, 'enabled' => !(account['disabled'] || []).include?(id) }
    end
  end
end
