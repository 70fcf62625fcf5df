package dev.waybill.deadletter;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.hold.AuditContext;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.util.List;

/**
 * All that operators do to many closed dead letters, in a JVM with little memory. Exit code 0 if all came out
 * right.
 */
public final class LargeArchiveProcess {
    private static final AuditContext WORD = new AuditContext("ada", "all of them");
    private static final DeadLetterFilter ALL = DeadLetterFilter.everything();

    private LargeArchiveProcess() {}

    /** Arguments: JDBC URL, schema, how many. */
    public static void main(String[] args) throws Exception {
        int many = Integer.parseInt(args[2]);
        var schema = new SchemaName(args[1]);
        try (var pool = PostgresServer.pool(args[0], 2)) {
            var letters = DeadLetters.in(pool, schema);
            var archive = DeadLetterArchive.in(pool, schema);
            require(letters.discard(letters.asOfNow(ALL), WORD), many, 2);
            require(letters.reopen(letters.asOfNow(ALL), WORD), many, 3);
            require(archive.archive(letters.asOfNow(ALL), Duration.ZERO, WORD), many, 4);
            require(archive.redact(ALL, List.of("body:/email", "subject"), WORD).redacted(), many, 5);
            require(archive.elsewhere(ALL), 0, 6);
            require(archive.restore(letters.asOfNow(ALL), WORD), many, 7);
            require(
                    archive.redact(ALL.session("s1"), List.of("body:/n/x"), WORD)
                            .redacted(),
                    0,
                    8);
            require(archive.archive(ALL, Duration.ZERO, WORD), many, 9);
            var erasure = Erasure.in(pool, schema);
            require(erasure.erase(ErasureRequest.session("s1"), WORD).total(), many / 5, 10);
            require(archive.expire(WORD), many - many / 10, 11);
        }
        System.exit(0);
    }

    private static void require(long is, long expected, int otherwise) {
        if (is != expected) {
            System.exit(otherwise);
        }
    }
}
