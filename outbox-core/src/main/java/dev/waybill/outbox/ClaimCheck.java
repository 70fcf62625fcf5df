package dev.waybill.outbox;

import dev.waybill.message.BrokerNames;
import dev.waybill.message.WireContract;
import dev.waybill.schema.SchemaName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores large bodies outside their messages. */
final class ClaimCheck {
    private final @Nullable ClaimStore store;
    private final Map<String, Destination> destinations;
    private final String register;

    /** @param store null if all bodies stay in their messages */
    ClaimCheck(@Nullable ClaimStore store, Map<String, Destination> destinations, SchemaName schema) {
        this.store = store;
        this.destinations = destinations;
        this.register = "insert into " + schema.table("outbox_claim")
                + " (claim, destination, message_id, bytes, digest) values (?, ?, ?, ?, ?)";
        if (store == null) {
            destinations.values().forEach(ClaimCheck::requireNoClaims);
        }
    }

    /** Replaces a large body by a claim and adds the body to {@code bodies}. */
    OutboxMessage leaveBody(OutboxMessage message, Collection<Body> bodies) {
        @Nullable Destination destination = destinations.get(message.destination());
        if (store == null || destination == null || message.values().body.length <= destination.claimsAbove()) {
            return message;
        }
        var body = new Body(UUID.randomUUID(), message, message.values().body);
        bodies.add(body);
        var rest = message.toBuilder();
        rest.body = new byte[0];
        rest.headers.put(WireContract.CLAIM, body.claim().toString());
        return new OutboxMessage(rest);
    }

    void store(Connection tx, Collection<Body> bodies) throws SQLException {
        if (store == null || bodies.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = tx.prepareStatement(register)) {
            for (Body body : bodies) {
                statement.setObject(1, body.claim());
                statement.setString(2, body.of().destination());
                statement.setString(3, body.of().id());
                statement.setLong(4, body.bytes().length);
                statement.setObject(5, body.digest());
                statement.addBatch();
            }
            statement.executeBatch();
        }
        for (Body body : bodies) {
            store.store(tx, body.claim(), body.bytes());
        }
    }

    private static void requireNoClaims(Destination destination) {
        if (destination.claimsAbove() != Destination.NO_CLAIMS) {
            throw new IllegalStateException("Destination '" + destination.name() + "' keeps bodies above "
                    + destination.claimsAbove() + " bytes outside its messages; give the outbox a claim store");
        }
    }

    /** A body to be stored outside its message. */
    // Handed over once and never compared.
    @SuppressWarnings("ArrayRecordComponent")
    record Body(UUID claim, OutboxMessage of, byte[] bytes) {
        /** As the SQL function {@code erasure_digest}, which an appending role need not be able to execute. */
        UUID digest() {
            @Nullable String session = of.values().session;
            String text = session == null ? "message " + of.id() : "session " + BrokerNames.key(session);
            var digest = ByteBuffer.wrap(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
            return new UUID(digest.getLong(), digest.getLong());
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("Every Java platform has SHA-256", e);
            }
        }
    }
}
