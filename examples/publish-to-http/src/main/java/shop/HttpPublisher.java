package shop;

import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** Posts each message to an address, with its id, by which the other side recognises a repeat. */
final class HttpPublisher implements Publisher {
    private final HttpClient client;
    private final URI address;
    private final Duration longestSend;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    HttpPublisher(URI address, Duration longestSend) {
        this.address = address;
        this.longestSend = longestSend;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(longestSend)
                .build();
    }

    @Override
    public CompletionStage<PublishResult> publish(Shipment shipment) {
        try {
            return CompletableFuture.supplyAsync(() -> sendInOrder(shipment), threads);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(PublishResult.failed(0, closed));
        }
    }

    private PublishResult sendInOrder(Shipment shipment) {
        List<OutboxRow> rows = shipment.rows();
        for (int accepted = 0; accepted < rows.size(); accepted++) {
            if (!shipment.mayContinue().getAsBoolean()) {
                return PublishResult.accepted(accepted);
            }
            try {
                int status = post(rows.get(accepted));
                Outcome outcome = outcome(status);
                if (outcome != Outcome.ACCEPTED) {
                    return new PublishResult(accepted, outcome, new IOException("The answer is HTTP " + status));
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                return PublishResult.failed(accepted, e);
            }
        }
        return PublishResult.accepted(rows.size());
    }

    private int post(OutboxRow row) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(address)
                .timeout(longestSend)
                .header("Message-Id", row.brokerMessageId())
                .POST(BodyPublishers.ofByteArray(row.content().body()))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    private static Outcome outcome(int status) {
        return switch (status) {
            case 200, 201, 202, 204 -> Outcome.ACCEPTED;
            case 429 -> Outcome.THROTTLED;
            case 400, 413, 415, 422 -> Outcome.MESSAGE_REFUSED;
            case 401, 403, 404, 410 -> Outcome.DESTINATION_REFUSED;
            default -> Outcome.UNAVAILABLE;
        };
    }

    @Override
    public Duration longestSend() {
        return longestSend;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
