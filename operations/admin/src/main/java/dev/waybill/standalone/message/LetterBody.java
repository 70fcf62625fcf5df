package dev.waybill.standalone.message;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.message.WireContract;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads the body of a dead letter from this database. */
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

    public static BodyText read(DataSource pool, SchemaName schema, DeadLetter letter, int limit) throws SQLException {
        return new BodyText(bytes(pool, schema, letter), letter.content().contentType(), limit);
    }

    private static byte[] bytes(DataSource pool, SchemaName schema, DeadLetter letter) throws SQLException {
        return outside(pool, schema, letter).orElse(letter.content().body());
    }

    // A claimed body in this database; other stores are out of reach.
    private static Optional<byte[]> outside(DataSource pool, SchemaName schema, DeadLetter letter) throws SQLException {
        Object claim = letter.content().properties().get(WireContract.CLAIM);
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
