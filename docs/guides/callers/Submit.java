// Submits one label, once, whatever happens: java Submit.java ORDER

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;

public class Submit {
  public static void main(String[] args) throws InterruptedException {
    String order = args.length > 0 ? args[0] : "A-1001";
    String label = base64("^XA^FO50,50^FD" + order + "^FS^XZ");
    String body = "{\"printerId\":1,\"title\":\"Label " + order
        + "\",\"contentType\":\"raw_base64\",\"content\":\"" + label + "\"}";
    HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("PLATEN_URL") + "/printjobs"))
        .timeout(Duration.ofSeconds(5))
        .header("Authorization", "Basic " + base64(System.getenv("PLATEN_API_KEY") + ":"))
        .header("Content-Type", "application/json")
        // Made from the order: the same with each try.
        .header("X-Idempotency-Key", "label-" + order)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    HttpClient client = HttpClient.newHttpClient();
    for (int tries = 0; tries < 5; tries++) {
      long waitMs = 200L << tries;
      try {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        int status = answer.statusCode();
        // 409: an earlier try was taken.
        if (status == 201 || status == 409) return;
        if (status != 429 && status < 500) {
          System.err.println("refused with " + status);
          System.exit(1);
        }
        waitMs = Math.max(waitMs, answer.headers().firstValueAsLong("Retry-After").orElse(0) * 1000);
      } catch (IOException e) {
        // No whole answer: the job may have been taken.
      }
      Thread.sleep(waitMs);
    }
    System.err.println("no answer after five tries: the label may be printed or not");
    System.exit(1);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes());
  }
}
