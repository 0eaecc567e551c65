# Submits one label, once, whatever happens: ruby submit.rb ORDER

require 'json'
require 'net/http'

order = ARGV[0] || 'A-1001'
url = URI("#{ENV.fetch('PLATEN_URL')}/printjobs")
request = Net::HTTP::Post.new(url, 'Content-Type' => 'application/json')
request.basic_auth(ENV.fetch('PLATEN_API_KEY'), '')
# Made from the order: the same with each try.
request['X-Idempotency-Key'] = "label-#{order}"
request.body = {
  printerId: 1,
  title: "Label #{order}",
  contentType: 'raw_base64',
  content: ["^XA^FO50,50^FD#{order}^FS^XZ"].pack('m0')
}.to_json

5.times do |tries|
  wait = 0.2 * 2**tries
  begin
    options = { use_ssl: url.scheme == 'https', open_timeout: 5, read_timeout: 5 }
    answer = Net::HTTP.start(url.host, url.port, **options) { |http| http.request(request) }
    status = answer.code.to_i
    exit if status < 300 || status == 409 # an earlier try was taken
    abort "refused with #{status}" unless status == 429 || status >= 500
    wait = [wait, answer['Retry-After'].to_f].max
  rescue IOError, SystemCallError, Timeout::Error, Net::ProtocolError, Net::HTTPBadResponse
    # no whole answer: the job may have been taken
  end
  sleep wait
end
abort 'no answer after five tries: the label may be printed or not'
