# Starts the service: PORT, DATA_DIR and API_KEY say where it listens, where it keeps its data, and the key of its first
# account, an Integrator Account; SINGLE_KEY is that of an unrelated Single Account.

require_relative 'service'

service = Service.new(ENV.fetch('DATA_DIR'))
service.found_account(ENV.fetch('API_KEY'), integrator: true)
service.found_account(ENV['SINGLE_KEY'], integrator: false) if ENV['SINGLE_KEY']
server = HttpServer.new(Integer(ENV.fetch('PORT')), service)

stop = Queue.new
%w[INT TERM].each { |signal| Signal.trap(signal) { stop << signal } }
Thread.new { service.keep_time }
Thread.new { server.run }
puts "listening on http://127.0.0.1:#{ENV.fetch('PORT')}"
$stdout.flush
stop.pop
service.stop
sleep 0.2
