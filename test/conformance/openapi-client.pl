# A client that Perl makes of docs/openapi.json: methods by operationId, requests and answers validated by it.
#
#   perl openapi-client.pl FILE URL KEY < calls.json      [{"operation": "getWhoami", "arguments": {}}, …]
#
# Prints a line of JSON for each call: operation, status, body.
use strict;
use warnings;
use JSON::PP;
use Mojo::URL;
use OpenAPI::Client;

my ($file, $url, $key) = @ARGV;
my $json = JSON::PP->new->utf8->allow_nonref->canonical;
my $client = OpenAPI::Client->new("file://$file");
$client->base_url(Mojo::URL->new($url));
$client->ua->on(start => sub { $_[1]->req->url->userinfo("$key:") });

my $calls = $json->decode(do { local $/; <STDIN> });
for my $call (@$calls) {
  my $tx = $client->call($call->{operation}, $call->{arguments});
  print $json->encode({operation => $call->{operation}, status => $tx->res->code + 0, body => $tx->res->json}), "\n";
}
