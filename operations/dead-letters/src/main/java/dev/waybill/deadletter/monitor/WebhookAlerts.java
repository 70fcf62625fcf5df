package dev.waybill.deadletter.monitor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.waybill.supervision.RootCause;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

record WebhookAlerts(HttpClient client, URI address) implements AlertSink {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookAlerts.class);
    private static final JsonFactory JSON = new JsonFactory();
    private static final int FIRST_REFUSAL = 300;

    @Override
    public void raise(AlertSink.Alert alert) {
        var request = HttpRequest.newBuilder(address)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json(alert)))
                .build();
        var unused = client.sendAsync(request, BodyHandlers.discarding()).whenComplete((response, failure) -> {
            if (failure != null) {
                LOG.warn("Alert not sent to {}: {}. The alert: {}", address, RootCause.of(failure), alert.text());
            } else if (response.statusCode() >= FIRST_REFUSAL) {
                LOG.warn(
                        "Alert rejected by {} with HTTP {}. The alert: {}",
                        address,
                        response.statusCode(),
                        alert.text());
            }
        });
    }

    private static String json(AlertSink.Alert alert) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("kind", alert.kind().name());
            json.writeStringField("entity", alert.entity());
            if (alert.reason() != null) {
                json.writeStringField("reason", alert.reason());
            }
            json.writeNumberField("value", alert.value());
            json.writeStringField("text", alert.text());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be written", e);
        }
        return text.toString();
    }
}
