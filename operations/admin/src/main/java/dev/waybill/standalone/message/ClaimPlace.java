package dev.waybill.standalone.message;

import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.SchemaName;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The location and size of a claimed body, which is not read: it may be very large, or in a store of the application. */
public record ClaimPlace(UUID claim, String store, @Nullable Long bytes) {
    /** The location of a message's body; empty if the message contains it. */
    public static Optional<ClaimPlace> of(MessageContent content, DataSource pool, SchemaName schema) {
        @Nullable String headers = content.headers();
        if (headers == null || !headers.contains(WireContract.CLAIM)) {
            return Optional.empty();
        }
        return claim(content.properties().get(WireContract.CLAIM)).map(claim -> find(claim, pool, schema));
    }

    private static Optional<UUID> claim(@Nullable Object value) {
        try {
            return value instanceof String text ? Optional.of(UUID.fromString(text)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static ClaimPlace find(UUID claim, DataSource pool, SchemaName schema) {
        Record found = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema)
                .fetchSingle(FIND.formatted(schema), DSL.val(claim));
        @Nullable Long here = found.get("here", Long.class);
        @Nullable Long known = found.get("known", Long.class);
        if (here != null) {
            return new ClaimPlace(claim, "in this database, in the table outbox_claim_body", here);
        }
        if (known == null) {
            return new ClaimPlace(claim, "in a store that this database knows nothing of", null);
        }
        return "removing".equals(found.get("state", String.class))
                ? new ClaimPlace(claim, "nowhere any more, or is being removed", known)
                : new ClaimPlace(claim, "in a store of its own, outside this database", known);
    }

    public String text() {
        return "Its body is kept outside the message, and not fetched: " + store + ", under the claim " + claim
                + (bytes == null ? "" : ", " + bytes + " bytes") + ".";
    }

    // PostgreSQL knows the length of a large value without reading it.
    private static final String FIND = """
            select (select octet_length(body)::bigint from %1$s.outbox_claim_body where claim = {0}) as here,
              c.bytes as known, c.state
            from (select) nothing left join %1$s.outbox_claim c on c.claim = {0}
            """;
}
