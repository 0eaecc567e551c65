# One WebSocket of RFC 6455, without extensions. A thread of its own writes, so that a peer that does not read holds
# nobody up. Time is counted in ticks of the service, which a moved clock does not touch.

require 'digest'
require 'socket'

class WebSocket
  GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
  SLICE_BYTES = 64 * 1024
  CLOSING_TICKS = 40

  attr_reader :quiet_ticks

  # `limit` is the greatest length of a message in bytes.
  def initialize(request, limit, protocol = nil)
    @io = request.io
    @limit = limit
    @queue = Queue.new
    @quiet_ticks = 0
    @open = true
    accept = [Digest::SHA1.digest(request['sec-websocket-key'] + GUID)].pack('m0')
    @io.write("HTTP/1.1 101 #{HttpServer::REASONS[101]}\r\nupgrade: WebSocket\r\nconnection: upgrade\r\n" \
              "sec-websocket-accept: #{accept}\r\n#{"sec-websocket-protocol: #{protocol}\r\n" if protocol}\r\n")
    @writer = Thread.new { write_all }
    @writer.report_on_exception = false
  end

  # What is wrong with a request for a WebSocket, or nil.
  def self.flaw(request)
    return 'Sec-WebSocket-Version must be 13' unless request['sec-websocket-version'] == '13'
    'Sec-WebSocket-Key is missing' unless request['sec-websocket-key'].to_s.match?(%r{\A[A-Za-z0-9+/]{22}==\z})
  end

  def text(message) = send_frame(0x1, message)
  def ping = send_frame(0x9, '')

  def close(code, reason = '')
    return unless @open
    reason = reason.byteslice(0, 120).scrub('')
    send_frame(0x8, [code].pack('n') + reason.b)
    @open = false
    @closing_ticks = CLOSING_TICKS
  end

  # Called by the ticker: a peer that does not answer the close is cut off.
  def tick
    @quiet_ticks += 1
    cut if @closing_ticks && (@closing_ticks -= 1).negative?
  end

  def cut
    @open = false
    @io.close unless @io.closed?
    @queue.close
  rescue IOError, SystemCallError
    nil
  end

  # Yields each text message until the connection ends; a block that closes it is not called again.
  def each_message
    while (opcode, bytes = message)
      case opcode
      when 0x8
        @open ? close(*(bytes.bytesize >= 2 ? [bytes.unpack1('n')] : [1000])) : nil
        break
      when 0x9 then send_frame(0xA, bytes)
      when 0x1, 0x2 then yield opcode, bytes if @open
      end
    end
  rescue EOFError, IOError, SystemCallError
    nil
  ensure
    @open = false
    @queue.close
    @writer.join(2)
    cut
  end

  private

  def send_frame(opcode, payload)
    return unless @open
    payload = payload.b
    size = payload.bytesize
    length = size < 126 ? [size].pack('C') : size < 65_536 ? [126, size].pack('Cn') : [127, size].pack('CQ>')
    @queue << [0x80 | opcode].pack('C') + length + payload
  rescue ClosedQueueError
    nil
  end

  def write_all
    while (frame = @queue.pop)
      (0...frame.bytesize).step(SLICE_BYTES) do |start|
        @io.write(frame.byteslice(start, SLICE_BYTES))
        @quiet_ticks = 0 if start.positive? # a connection that drains is alive
      end
    end
  rescue IOError, SystemCallError
    cut
  end

  # [opcode, bytes] of the next message or control frame; nil after a close of our own that needs no answer.
  def message
    loop do
      fin, opcode, bytes = frame(@parts ? @parts[1].bytesize : 0)
      @quiet_ticks = 0
      return [opcode, bytes] if opcode >= 0x8
      return broken(1002, 'a fragment is out of order') if opcode.zero? == @parts.nil?
      @parts ? @parts[1] << bytes : @parts = [opcode, bytes]
      next unless fin
      parts, @parts = @parts, nil
      return parts unless parts[0] == 0x1
      parts[1].force_encoding('UTF-8')
      return parts[1].valid_encoding? ? parts : broken(1007, 'not UTF-8')
    end
  rescue Broken => e
    broken(e.code, e.message)
  end

  class Broken < StandardError
    attr_reader :code

    def initialize(code, message)
      super(message)
      @code = code
    end
  end

  def frame(before)
    first, second = bytes(2).unpack('CC')
    opcode = first & 0x0F
    control = opcode >= 0x8
    size = second & 0x7F
    raise Broken.new(1002, 'a reserved bit or opcode') if (first & 0x70).positive? || ![0, 1, 2, 8, 9, 10].include?(opcode)
    raise Broken.new(1002, 'a frame of a client must be masked') if second < 0x80
    raise Broken.new(1002, 'a control frame is too long or in fragments') if control && (size > 125 || first < 0x80)
    size = bytes(2).unpack1('n') if size == 126
    size = bytes(8).unpack1('Q>') if size == 127
    raise Broken.new(1009, "a message may have #{@limit} bytes") if !control && before + size > @limit
    [first >= 0x80, opcode, unmask(bytes(4), bytes(size))]
  end

  def bytes(count)
    return ''.b if count.zero?
    read = @io.read(count)
    raise EOFError if read.nil? || read.bytesize < count
    read
  end

  def unmask(mask, payload)
    words = (payload.bytesize + 3) / 4
    key = mask.unpack1('N')
    payload.ljust(words * 4, "\0").unpack('N*').map { |word| word ^ key }.pack('N*').byteslice(0, payload.bytesize)
  end

  # Says why, and reads on until the peer has answered: bytes left unread would take the reason away.
  def broken(code, reason)
    close(code, reason)
    @queue.close
    @io.close_write if @writer.join(2)
    drained = 0
    drained += @io.readpartial(1 << 20).bytesize while @io.wait_readable(1) && drained < 128 << 20
    nil
  end
end
