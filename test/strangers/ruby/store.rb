# What the service knows, in memory and in a journal: one line of JSON for each record that was put or removed. Nothing
# is answered, acknowledged or delivered before its line is written, so a killed process has lost nothing it promised.

require 'json'
require 'monitor'
require 'fileutils'

class Store
  KINDS = %w[account computer printer job document webhook event idempotency report clientkey meta].freeze
  COMPACT_BYTES = 64 * 1024 * 1024
  # Identifiers of all kinds come from one sequence with gaps; doubles hold all of them exactly.
  FIRST_ID = 2**52 + 1
  ID_STEP = 3

  def initialize(folder)
    @monitor = Monitor.new
    @depth = 0
    @lines = []
    @later = []
    @tables = KINDS.to_h { |kind| [kind, {}] }
    FileUtils.mkdir_p(folder)
    @path = File.join(folder, 'journal.ndjson')
    load
    compact
  end

  # Runs the block alone. Its changes are written at its end, and what it left for `afterwards` is done after that.
  def transaction
    @monitor.synchronize do
      @depth += 1
      begin
        yield
      ensure
        @depth -= 1
        commit if @depth.zero?
      end
    end
  end

  def afterwards(&block)
    @later << block
  end

  # Records are hashes with keys of text; `id` is the key in their table.
  def table(kind) = @tables.fetch(kind)
  def get(kind, id) = @tables.fetch(kind)[id]

  def put(kind, record)
    table(kind)[record.fetch('id')] = record
    @lines << JSON.generate([kind, record['id'], record])
    record
  end

  def remove(kind, id)
    @lines << JSON.generate([kind, id, nil]) if table(kind).delete(id)
  end

  def next_id
    last = get('meta', 'last')
    put('meta', 'id' => 'last', 'value' => last ? last['value'] + ID_STEP : FIRST_ID)['value']
  end

  private

  def commit
    unless @lines.empty?
      text = @lines.join("\n") << "\n"
      @lines = []
      @file.write(text)
      @bytes += text.bytesize
      compact if @bytes > @compact_at
    end
    later, @later = @later, []
    later.each(&:call)
  end

  def load
    return unless File.exist?(@path)
    File.foreach(@path, encoding: 'UTF-8') do |line|
      kind, id, record = JSON.parse(line, max_nesting: 200)
      record ? table(kind)[id] = record : table(kind).delete(id)
    rescue JSON::ParserError
      break # the line that was being written when the process was killed: nothing in it was promised
    end
  end

  def compact
    File.open("#{@path}.new", 'w') do |file|
      @tables.each { |kind, table| table.each { |id, record| file.puts(JSON.generate([kind, id, record])) } }
    end
    File.rename("#{@path}.new", @path)
    @file&.close
    @file = File.open(@path, 'a')
    @file.sync = true
    @bytes = @file.size
    @compact_at = [COMPACT_BYTES, 2 * @bytes].max
  end
end
