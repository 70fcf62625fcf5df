package dev.waybill.deadletter;

import dev.waybill.supervision.RootCause;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Alerts by HTTP. */
record WebhookAlerts(HttpClient client, URI address) implements AlertSink {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookAlerts.class);
    private static final int FIRST_REFUSAL = 300;

    @Override
    public void raise(DeadLetterAlert alert) {
        var request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json(alert)))
                .build();
        var unused = client.sendAsync(request, BodyHandlers.discarding()).whenComplete((response, failure) -> {
            if (failure != null) {
                LOG.warn("An alert could not be sent to {}: {}: {}", address, alert.text(), RootCause.of(failure));
            } else if (response.statusCode() >= FIRST_REFUSAL) {
                LOG.warn("An alert was answered with {} by {}: {}", response.statusCode(), address, alert.text());
            }
        });
    }

    private static String json(DeadLetterAlert alert) {
        var members = new LinkedHashMap<String, Object>();
        members.put("kind", alert.kind().name());
        members.put("entity", alert.entity());
        if (alert.reason() != null) {
            members.put("reason", alert.reason());
        }
        members.put("value", alert.value());
        members.put("text", alert.text());
        return JsonObjects.write(members);
    }
}
