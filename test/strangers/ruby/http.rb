# HTTP/1.1 on plain sockets, a thread for each connection.

require 'io/wait'
require 'socket'
require 'uri'

class HttpServer
  HEAD_BYTES = 64 * 1024
  BODY_BYTES = 50 * 1024 * 1024
  REQUESTS_OF_A_CONNECTION = 200
  IDLE_SECONDS = 120
  REASONS = { 101 => 'Switching Protocols', 200 => 'Fine', 201 => 'Made' }.freeze

  Request = Struct.new(:method, :target, :version, :headers, :ip, :io, :body, :started, :flaw, keyword_init: true) do
    def path = target.split('?', 2)[0]
    def [](name) = headers[name.downcase]
    def keeps_alive? = version == '1.1' && !self['connection'].to_s.downcase.split(/\s*,\s*/).include?('close')
    def upgrade? = method == 'GET' && self['upgrade'].to_s.downcase == 'websocket'

    def query
      @query ||= URI.decode_www_form(target.split('?', 2)[1] || '').to_h
    rescue ArgumentError
      raise ApiError.new(400, 'BadQuery', 'the query cannot be decoded')
    end
  end

  # Reads a body when it is asked for, and knows whether one is left unread.
  class Body
    attr_reader :pending

    def initialize(request)
      @request = request
      coding = request['transfer-encoding']
      length = request['content-length']
      raise ApiError.new(400, 'BadRequest', 'the length of the body is ambiguous') if coding && length
      raise ApiError.new(501, 'BadRequest', 'only chunked is understood') if coding && coding.downcase != 'chunked'
      raise ApiError.new(400, 'BadRequest', 'Content-Length is not a number') if length && length !~ /\A\d{1,15}\z/
      @chunked = !coding.nil?
      @length = length.to_i
      @pending = @chunked || @length.positive?
    end

    def read
      return +'' unless @pending
      raise too_large if @length > BODY_BYTES
      @request.io.write("HTTP/1.1 100 Go on\r\n\r\n") if @request['expect'].to_s.downcase == '100-continue'
      bytes = @chunked ? chunks : @request.io.read(@length)
      raise EOFError if bytes.nil? || bytes.bytesize < @length
      @pending = false
      bytes
    end

    private

    def too_large = ApiError.new(413, 'TooBig', "a body may have #{BODY_BYTES} bytes")

    def chunks
      all = +''.b
      loop do
        size = line[/\A\h{1,8}(?=[;\s]|\z)/] or raise ApiError.new(400, 'BadRequest', 'a chunk has no size')
        break if size.hex.zero?
        raise too_large if all.bytesize + size.hex > BODY_BYTES
        all << (@request.io.read(size.hex) || raise(EOFError))
        raise ApiError.new(400, 'BadRequest', 'a chunk has another size') unless line.empty?
      end
      nil until line.empty?
      all
    end

    def line = (@request.io.gets("\r\n", HEAD_BYTES) || raise(EOFError)).chomp
  end

  # `app` answers a request by [status, headers, text], or takes the connection over and answers nil.
  def initialize(port, app)
    @server = TCPServer.new('127.0.0.1', port)
    @server.listen(1024)
    @app = app
  end

  def run
    loop do
      socket = @server.accept
      Thread.new(socket) { |io| converse(io) }.report_on_exception = false
    end
  end

  private

  def converse(io)
    io.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    ip = io.remote_address.ip_address
    (1..REQUESTS_OF_A_CONNECTION).each do |number|
      break unless io.wait_readable(IDLE_SECONDS)
      request = head(io, ip) or break
      last = number == REQUESTS_OF_A_CONNECTION || !request.keeps_alive?
      answer = @app.call(request) or return
      # A body that nobody read is not the next request.
      last ||= request.body.nil? || request.body.pending
      write(request, answer, last)
      break if last
    end
    linger(io)
  rescue EOFError, IOError, SystemCallError
    nil
  ensure
    io.close unless io.closed?
  end

  def head(io, ip)
    first = io.gets("\r\n", HEAD_BYTES)
    first = io.gets("\r\n", HEAD_BYTES) if first == "\r\n"
    return nil unless first
    request = Request.new(headers: {}, ip: ip, io: io, started: now, version: '1.0')
    request.method, request.target, version = first.chomp.split(' ', 3)
    return flawed(request, 'the request line is broken') unless version.to_s.match?(%r{\AHTTP/1\.[01]\z})
    request.version = version[5..]
    request.target = request.target.sub(%r{\Ahttps?://[^/?]*}i, '')
    read_headers(io, request) or return flawed(request, 'the headers are broken')
    request.body = Body.new(request)
    request
  rescue ApiError => e
    flawed(request, e.message, e.status)
  end

  def read_headers(io, request)
    bytes = 0
    until (line = io.gets("\r\n", HEAD_BYTES)) == "\r\n"
      bytes += line ? line.bytesize : HEAD_BYTES
      name, value = line.to_s.force_encoding('UTF-8').scrub('?').chomp.split(':', 2)
      return false if bytes > HEAD_BYTES || value.nil? || !name.match?(/\A[!#$%&'*+.^|~\w`-]+\z/)
      key = name.downcase
      return false if key == 'content-length' && request.headers[key]
      request.headers[key] = [request.headers[key], value.strip].compact.join(', ')
    end
    true
  end

  def flawed(request, message, status = 400)
    request.flaw = ApiError.new(status, 'BadRequest', message)
    request.version = '1.0'
    request
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # Long bodies go in chunks, with an extension that nobody need understand.
  def write(request, (status, headers, text), last)
    head = +"HTTP/1.1 #{status} #{REASONS[status]}\r\n"
    headers.each { |name, value| head << name << ': ' << value.to_s.gsub(/[\r\n]/, ' ') << "\r\n" }
    head << "connection: close\r\n" if last
    if request.version == '1.1' && text.bytesize > 256
      half = text.bytesize / 2
      parts = [text.byteslice(0, half), text.byteslice(half..)]
      head << "transfer-encoding: chunked\r\n\r\n"
      body = parts.map { |part| "#{part.bytesize.to_s(16).upcase};part=1\r\n#{part.b}\r\n".b }.join << "0\r\n\r\n"
    else
      head << "content-length: #{text.bytesize}\r\n\r\n"
      body = text.b
    end
    request.io.write(request.method == 'HEAD' ? head : head.b << body)
  end

  # A socket that is closed with bytes unread takes the answer away from its reader.
  def linger(io)
    io.close_write
    200.times { break unless io.wait_readable(0.5) && io.readpartial(1 << 20) }
  end
end
