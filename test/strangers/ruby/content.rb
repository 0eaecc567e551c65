# Bodies of requests and fields in them: JSON that is really JSON, forms with the same structure, and types.

require 'json'
require 'uri'

class ApiError < StandardError
  attr_reader :status, :code, :headers

  def initialize(status, code, message, headers = {})
    super(message)
    @status = status
    @code = code
    @headers = headers
  end
end

module Content
  TYPES = {
    string: ['a string', ->(value) { value.is_a?(String) }],
    text: ['a string that is not empty', ->(value) { value.is_a?(String) && !value.empty? }],
    integer: ['an integer', ->(value) { value.is_a?(Integer) }],
    natural: ['a positive integer', ->(value) { value.is_a?(Integer) && value.positive? }],
    boolean: ['true or false', ->(value) { [true, false].include?(value) }],
    object: ['an object', ->(value) { value.is_a?(Hash) }],
    strings: ['an array of strings', ->(value) { value.is_a?(Array) && value.all?(String) }]
  }.freeze
  FORM_DEPTH = 8

  module_function

  def bad(message, code = 'BadValue') = ApiError.new(400, code, message)

  # JSON of RFC 8259. Ruby's parser takes comments as well, halves of surrogate pairs, and numbers beyond all bounds.
  def json(bytes)
    text = bytes.dup.force_encoding('UTF-8')
    raise bad('the body is not UTF-8', 'InvalidContent') unless text.valid_encoding?
    raise bad('the body has a comment, which JSON has not', 'InvalidContent') if comment?(text)
    value = JSON.parse(text)
    raise bad('the body has a text or number that cannot be', 'InvalidContent') unless sound?(value)
    value
  rescue JSON::ParserError
    raise bad('the body is not JSON', 'InvalidContent')
  end

  def comment?(text) = text.include?('/*') || text.include?('//') ? text.gsub(/"(?:[^"\\]++|\\.)*+"/m, '').include?('/') : false

  def sound?(value)
    case value
    when String then value.valid_encoding?
    when Float then value.finite?
    when Array then value.all? { |item| sound?(item) }
    when Hash then value.all? { |key, item| key.valid_encoding? && sound?(item) }
    else true
    end
  end

  def form(bytes)
    URI.decode_www_form(bytes.dup.force_encoding('UTF-8')).each_with_object({}) do |(name, value), root|
      raise ArgumentError unless name.valid_encoding? && value.valid_encoding?
      head, *rest = name.scan(/\A[^\[]+|\[[^\[\]]*\]/)
      raise ArgumentError if head.nil? || [head, *rest].join != name || rest.size > FORM_DEPTH
      plant(root, [head, *rest.map { |part| part[1..-2] }], value)
    end
  rescue ArgumentError, TypeError, IndexError
    raise bad('the body is not a form', 'InvalidContent')
  end

  # Puts a value where its name says: a[b] is a field of an object, a[] one more element of an array.
  def plant(holder, path, value)
    key, following = path
    if path.size == 1
      raise ArgumentError if holder.is_a?(Hash) && holder.key?(key)
      return holder.is_a?(Array) ? holder << value : holder[key] = value
    end
    raise ArgumentError if holder.is_a?(Array)
    inner = (holder[key] ||= following.empty? ? [] : {})
    raise ArgumentError unless inner.is_a?(following.empty? ? Array : Hash)
    plant(inner, path.drop(1), value)
  end

  # The fields of `schema`, name => type or [type, :required], that an object has; text of forms becomes what it means.
  def fields(object, schema, form: false, at: '')
    raise bad("#{at.empty? ? 'the body' : at} must be an object") unless object.is_a?(Hash)
    schema.each_with_object({}) do |(name, rule), read|
      type, required = rule
      unless object.key?(name)
        raise bad("#{at}#{name} is missing") if required
        next
      end
      value = form ? from_form(object[name], type) : object[name]
      raise bad("#{at}#{name} must be #{TYPES.fetch(type)[0]}") unless TYPES.fetch(type)[1].call(value)
      read[name] = value
    end
  end

  def from_form(value, type)
    case type
    when :integer, :natural then value.is_a?(String) && value.match?(/\A-?\d{1,18}\z/) ? value.to_i : value
    when :boolean then { 'true' => true, 'false' => false }.fetch(value, value)
    else value
    end
  end

  def depth(value)
    case value
    when Array then 1 + (value.map { |item| depth(item) }.max || 0)
    when Hash then 1 + (value.values.map { |item| depth(item) }.max || 0)
    else 0
    end
  end
end
