# Accounts, their Children, tags and API keys.

module Accounts
  ROUTES = {
    'GET /whoami' => :whoami, 'GET /noop' => :noop, 'POST /account' => :create_account, 'PATCH /account' => :change_account,
    'DELETE /account' => :delete_account, 'GET /account/state' => :read_account_state,
    'PUT /account/state' => :change_account_state, 'GET /account/controllable' => :controllable,
    'GET /account/tag/{name}' => :read_tag, 'POST /account/tag/{name}' => :write_tag,
    'DELETE /account/tag/{name}' => :delete_tag, 'GET /account/apikey/{description}' => :read_key,
    'POST /account/apikey/{description}' => :create_key, 'DELETE /account/apikey/{description}' => :delete_key
  }.freeze

  PERSON = { 'firstname' => :text, 'lastname' => :text, 'email' => :text, 'password' => :string, 'creatorRef' => :text }.freeze
  REQUIRED = PERSON.to_h { |name, type| [name, name == 'creatorRef' ? type : [type, :required]] }.freeze
  TAG_NAME = /\A[A-Za-z0-9._-]{1,64}\z/.freeze

  # An account that is there from the start, unless an earlier start has made it.
  def found_account(key, integrator:)
    @store.transaction do
      next if account_of_key(key)
      add_account({ 'firstname' => 'Ruby', 'lastname' => '-', 'email' => 'someone@example.com' },
                  { 'integrator' => integrator, 'keys' => { 'first' => key } })
    end
  end

  def account_of_key(key) = key && @store.table('account').each_value.find { |account| account['keys'].value?(key) }
  def children_of(account) = @store.table('account').each_value.select { |child| child['parent'] == account['id'] }

  def child_named(account, header, value)
    found = children_of(account).select do |child|
      case header
      when 'X-Child-Account-By-Id' then child['id'].to_s == value
      when 'X-Child-Account-By-Email' then child['email'] == value
      else child['creatorRef'] == value
      end
    end
    found[0] if found.size == 1
  end

  def whoami(call) = ok(account_shown(call.account))
  def noop(call) = ok(call.headers['REQUEST-ID'])

  def create_account(call)
    raise ApiError.new(403, 'NotAnIntegrator', 'only an Integrator Account has Children') unless call.account['integrator']
    content, form = call.content
    parts = Content.fields(content, { 'Account' => %i[object required], 'ApiKeys' => :strings, 'Tags' => :object })
    person = Content.fields(parts['Account'], REQUIRED, form: form, at: 'Account.')
    names = parts.fetch('ApiKeys', [])
    tags = parts.fetch('Tags', {})
    check_person(person, call.account)
    check_new_keys(names)
    tags.each { |name, value| check_tag(name, value) }
    raise Content.bad('the value of a tag has at most 1024 bytes here') if tags.each_value.any? { |value| value.bytesize > 1024 }
    keys = names.to_h { |name| [name, new_key] }
    account = add_account(person, { 'parent' => call.account['id'], 'keys' => keys, 'tags' => tags })
    Service::Reply.new(201, { 'made' => { 'number' => account['id'], 'email' => account['email'] },
                              'secrets' => keys.map { |name, key| { 'for' => name, 'secret' => key } } })
  end

  def change_account(call)
    content, form = call.content
    changes = Content.fields(content, PERSON, form: form)
    owner = @store.get('account', call.account['parent'])
    check_person(changes, owner, call.account)
    password = changes.delete('password')
    changes['digest'] = digest(password) if password
    @store.put('account', call.account.merge!(changes))
    whoami(call)
  end

  def delete_account(call)
    raise child_needed unless call.acts_for_child?
    forget_account(call.account)
    ok({ 'gone' => call.account['id'] })
  end

  def read_account_state(call) = ok(call.account['state'])

  def change_account_state(call)
    raise child_needed unless call.acts_for_child?
    state, = call.content
    raise Content.bad('the state must be "active" or "suspended"') unless %w[active suspended].include?(state)
    @store.put('account', call.account.merge!('state' => state))
    close_sockets_of(call.account['id']) if state == 'suspended'
    ok([state])
  end

  def controllable(call)
    ok(children_of(call.account).map { |child| { 'account' => child['id'], 'ref' => child['creatorRef'] } })
  end

  def read_tag(call, name)
    value = call.account['tags'][name] or raise ApiError.new(404, 'NoSuchTag', 'the account has no such tag')
    ok({ 'label' => name, 'content' => value })
  end

  def write_tag(call, name)
    content, form = call.content
    value = content.is_a?(String) ? content : Content.fields(content, { 'value' => %i[string required] }, form: form)['value']
    check_tag(name, value)
    call.account['tags'][name] = value
    @store.put('account', call.account)
    read_tag(call, name)
  end

  def delete_tag(call, name)
    read_tag(call, name)
    call.account['tags'].delete(name)
    @store.put('account', call.account)
    ok(call.account['tags'].size)
  end

  def read_key(call, name)
    key = call.account['keys'][name] or raise ApiError.new(404, 'NoSuchKey', 'the account has no such key')
    ok({ 'description' => name, 'user' => key })
  end

  def create_key(call, name)
    raise ApiError.new(409, 'NameTaken', 'the account has a key of this name') if call.account['keys'][name]
    call.account['keys'][name] = new_key
    @store.put('account', call.account)
    Service::Reply.new(201, read_key(call, name).value)
  end

  def delete_key(call, name)
    read_key(call, name)
    key = call.account['keys'].delete(name)
    @store.put('account', call.account)
    close_sockets_of(call.account['id'], key)
    ok({ 'revoked' => name })
  end

  private

  def child_needed = ApiError.new(403, 'ChildNeeded', 'name a Child Account by an X-Child-Account-By-* header')
  def new_key = "rb.#{SecureRandom.urlsafe_base64(24)}~"

  def digest(password)
    salt = SecureRandom.hex(8)
    "#{salt}$#{OpenSSL::KDF.pbkdf2_hmac(password, salt: salt, iterations: 2000, length: 32, hash: 'SHA256').unpack1('H*')}"
  end

  def add_account(person, more)
    password = person['password']
    account = {
      'id' => @store.next_id, 'state' => 'active', 'integrator' => false, 'parent' => nil, 'tags' => {}, 'keys' => {},
      'prints' => 0, 'creatorRef' => nil, 'digest' => password && digest(password)
    }
    @store.put('account', account.merge(person.reject { |name,| name == 'password' }, more))
  end

  def check_person(person, owner, itself = nil)
    raise Content.bad('password must have 8 bytes') if person['password'] && person['password'].bytesize < 8
    return unless owner
    others = children_of(owner).reject { |child| child.equal?(itself) }
    %w[email creatorRef].each do |field|
      next unless person[field] && others.any? { |child| child[field] == person[field] }
      raise ApiError.new(409, 'Taken', "another Child Account has this #{field}")
    end
  end

  def check_new_keys(names)
    raise Content.bad('at most 10 ApiKeys') if names.size > 10
    raise Content.bad('a name of ApiKeys has 1 to 16 bytes') unless names.all? { |name| name.bytesize.between?(1, 16) }
    raise Content.bad('a name of ApiKeys is there twice') if names.uniq.size < names.size
  end

  def check_tag(name, value)
    raise Content.bad('the name of a tag has 1 to 64 of A-Z, a-z, 0-9, dot, dash, underscore') unless name.match?(TAG_NAME)
    raise Content.bad('the value of a tag must be a string') unless value.is_a?(String)
    raise Content.bad('the value of a tag has at most 1024 characters') if value.size > 1024
  end

  def forget_account(account)
    close_sockets_of(account['id'])
    computers_of(account['id']).each { |computer| forget_computer(computer, 4401) }
    %w[job webhook idempotency clientkey].each do |kind|
      @store.table(kind).each_value.select { |record| record['account'] == account['id'] }.each do |record|
        @store.remove('document', record['id']) if kind == 'job'
        @store.remove(kind, record['id'])
      end
    end
    index_jobs
    @store.remove('account', account['id'])
  end

  def account_shown(account)
    parent = @store.get('account', account['parent'])
    computers = computers_of(account['id'])
    {
      'permissions' => ['Everything'], 'state' => account['state'],
      'Tags' => account['tags'].map { |name, value| "#{name}=#{value}" },
      'connected' => computers.select { |computer| connected?(computer) }.map { |computer| { 'computer' => computer['id'] } },
      'versions' => [], 'totalPrints' => account['prints'], 'numComputers' => computers.size, 'credits' => -1,
      'childAccounts' => children_of(account).map { |child| { 'number' => child['id'], 'email' => child['email'] } },
      'creatorRef' => account['creatorRef'], 'creatorEmail' => parent && parent['email'],
      'canCreateSubAccounts' => account['integrator'],
      'email' => account['email'], 'lastname' => account['lastname'], 'firstname' => account['firstname'],
      'id' => account['id'], 'favouriteColour' => nil
    }
  end
end
