package dev.waybill.standalone.message;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads the body of a dead letter or held message from this database. */
public final class LetterBody {
    private LetterBody() {}

    /** Why no body can be shown; empty if there is one. */
    public static Optional<String> missing(DeadLetter letter) {
        if (letter.state() == DeadLetter.State.ARCHIVED) {
            return Optional.of(
                    "Its body is in the archive: waybill-relay dlq restore --id " + letter.id() + " --reason '…'");
        }
        return Optional.ofNullable(letter.lifecycle().emptied())
                .map(why -> "It has no body: " + why.name().toLowerCase(Locale.ROOT));
    }

    /** Where the body is, if what was read is empty because it is out of reach. */
    public static Optional<String> missing(DataSource pool, SchemaName schema, MessageContent content, BodyText read) {
        return read.bytes() > 0
                ? Optional.empty()
                : ClaimPlace.of(content, pool, schema).map(ClaimPlace::text);
    }

    /** The body, or the empty one of a message whose claimed body is in another store. */
    public static BodyText read(DataSource pool, SchemaName schema, MessageContent content, int limit)
            throws SQLException {
        byte[] body = outside(pool, schema, content).orElse(content.body());
        return new BodyText(body, content.contentType(), limit);
    }

    // A claimed body in this database; other stores are out of reach.
    private static Optional<byte[]> outside(DataSource pool, SchemaName schema, MessageContent content)
            throws SQLException {
        Object claim = content.properties().get(WireContract.CLAIM);
        if (claim == null) {
            return Optional.empty();
        }
        try (Connection connection = pool.getConnection()) {
            return ClaimStore.inPostgres(schema).load(connection, UUID.fromString(claim.toString()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
