package dev.waybill.inbox;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.tools.json.JSONParser;
import org.jooq.tools.json.ParseException;

/**
 * How a message became a dead letter, and when it was sent anew.
 *
 * @param entity whose dead letter it was
 * @param reason why
 * @param enqueuedAt when it had come to that entity
 * @param deliveries how often it had been delivered there
 * @param redrivenAt when it was sent anew
 */
public record DeadLetterRecord(String entity, String reason, Instant enqueuedAt, long deliveries, Instant redrivenAt) {
    /** What cannot be read is left out: a message is not to fail for what is told about it. */
    static List<DeadLetterRecord> read(String json) {
        var history = new ArrayList<DeadLetterRecord>();
        try {
            if (new JSONParser().parse(json) instanceof List<?> entries) {
                entries.forEach(entry -> {
                    if (entry instanceof Map<?, ?> death) {
                        history.add(of(death));
                    }
                });
            }
        } catch (ParseException | DateTimeException e) {
            return List.copyOf(history);
        }
        return List.copyOf(history);
    }

    private static DeadLetterRecord of(Map<?, ?> death) {
        return new DeadLetterRecord(
                String.valueOf(death.get("entity")),
                String.valueOf(death.get("reason")),
                Instant.parse(String.valueOf(death.get("enqueued"))),
                death.get("deliveries") instanceof Long count ? count : 0,
                Instant.parse(String.valueOf(death.get("redriven"))));
    }
}
