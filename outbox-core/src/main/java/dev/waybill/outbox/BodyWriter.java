package dev.waybill.outbox;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as bodies, for {@link OutboxMessage.Builder#body(Object)}: by a JSON mapper, Avro, Protobuf. Thread-safe.
 *
 * <pre>{@code
 * Outbox.builder(dataSource).bodies(object -> BodyWriter.Written.json(gson.toJson(object)))
 * }</pre>
 */
@FunctionalInterface
public interface BodyWriter {
    /**
     * Writes an object. Runs inside the caller's transaction.
     *
     * @throws RuntimeException if it cannot be written; the message is not built
     */
    Written write(Object object);

    /**
     * A written body, not copied.
     *
     * @param contentType the body's media type
     * @param subject the subject of a message that is given none, such as the name of the object's type
     * @param headers application properties of the same types as {@link OutboxMessage#headers()}
     */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Written(
            byte[] body, String contentType, @Nullable String subject, Map<String, Object> headers) {
        public Written {
            Objects.requireNonNull(body, "A written body is not null");
            Objects.requireNonNull(contentType, "A written body has a content type");
            headers = Map.copyOf(headers);
        }

        /** JSON without a subject and headers. */
        public static Written json(String json) {
            return new Written(OutboxMessage.encoded("body", json), "application/json", null, Map.of());
        }
    }
}
