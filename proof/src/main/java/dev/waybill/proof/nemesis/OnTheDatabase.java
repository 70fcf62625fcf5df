package dev.waybill.proof.nemesis;

import dev.waybill.proof.database.Replay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** What befalls PostgreSQL. */
final class OnTheDatabase {
    static final List<Nemesis> NEMESES = List.of(
            alone("database-crash", OnTheDatabase::crash),
            alone("database-stop", OnTheDatabase::stop),
            alone("database-freeze", OnTheDatabase::freeze),
            alone("promotion", OnTheDatabase::promote),
            alone("promotion-with-loss", OnTheDatabase::promoteWithLoss),
            new Nemesis("connection-limit", true, OnTheDatabase::limitConnections),
            new Nemesis("statement-timeout", true, OnTheDatabase::limitStatements),
            new Nemesis("lock-storm", OnTheDatabase::lockTables),
            new Nemesis("vacuum-held-back", OnTheDatabase::holdVacuumBack),
            new Nemesis("sessions-ended", OnTheDatabase::endSessions));

    private static final List<String> LOCKED =
            List.of("outbox_message", "outbox_destination", "relay", "inbox_message", "inbox_hold", "outbox_published");

    private OnTheDatabase() {}

    private static Nemesis alone(String name, Nemesis.Strike strike) {
        return new Nemesis(name, true, (stage, random) -> {
            stage.database().lockInterruptibly();
            try {
                return stage.isCalm() ? "too late" : strike.on(stage, random);
            } finally {
                stage.database().unlock();
            }
        });
    }

    private static String crash(Stage stage, SplittableRandom random) throws InterruptedException {
        stage.pair().primary().crash();
        stage.last(Duration.ofMillis(random.nextInt(4_000)));
        stage.pair().primary().restart();
        return "";
    }

    private static String stop(Stage stage, SplittableRandom random) throws InterruptedException {
        stage.pair().primary().stop();
        stage.last(Duration.ofMillis(random.nextInt(4_000)));
        stage.pair().primary().restart();
        return "";
    }

    private static String freeze(Stage stage, SplittableRandom random) throws InterruptedException {
        stage.pair().primary().freeze();
        stage.last(Duration.ofSeconds(random.nextInt(2, 12)));
        stage.pair().primary().thaw();
        return "";
    }

    private static String promote(Stage stage, SplittableRandom random) throws SQLException {
        stage.pair().promoteCaughtUp();
        stage.cast().followPrimary();
        return "";
    }

    // What was handled in the lag has lost its effects, and the broker has let it go: a replay brings it again.
    private static String promoteWithLoss(Stage stage, SplittableRandom random)
            throws SQLException, InterruptedException {
        stage.pair().promoteWithLoss(() -> lag(stage, random));
        stage.lost();
        stage.cast().followPrimary();
        long copies = Replay.ofLostEffects(stage.servers());
        return copies + " copies";
    }

    private static void lag(Stage stage, SplittableRandom random) {
        try {
            stage.last(Duration.ofMillis(random.nextInt(500, 4_000)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String limitConnections(Stage stage, SplittableRandom random) throws Exception {
        int limit = random.nextInt(4, 30);
        return whileAltered(stage, random, "connection limit " + limit, "connection limit -1");
    }

    private static String limitStatements(Stage stage, SplittableRandom random) throws Exception {
        int millis = random.nextInt(20, 400);
        return whileAltered(stage, random, "set statement_timeout = " + millis, "reset statement_timeout");
    }

    private static String whileAltered(Stage stage, SplittableRandom random, String change, String undo)
            throws SQLException, InterruptedException {
        alterRole(stage, change);
        endSessions(stage, random);
        stage.last(Duration.ofSeconds(random.nextInt(3, 12)));
        retried(() -> alterRole(stage, undo));
        retried(() -> endSessions(stage, random));
        return change;
    }

    private static void alterRole(Stage stage, String change) throws SQLException {
        stage.servers().execute("alter role " + stage.servers().role() + " " + change);
    }

    // The database may be away at that moment, by another nemesis.
    private static void retried(Statement statement) throws SQLException, InterruptedException {
        for (int i = 0; ; i++) {
            try {
                statement.run();
                return;
            } catch (SQLException e) {
                if (i == 60) {
                    throw e;
                }
                Thread.sleep(500);
            }
        }
    }

    private static String endSessions(Stage stage, SplittableRandom random) throws SQLException {
        stage.servers()
                .execute("select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and usename = '" + stage.servers().role() + "'");
        return "";
    }

    private static String lockTables(Stage stage, SplittableRandom random) throws SQLException, InterruptedException {
        String table = LOCKED.get(random.nextInt(LOCKED.size()));
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            try (var connection = begin(stage)) {
                execute(connection, "set local lock_timeout = '5s'");
                execute(connection, "lock table waybill." + table + " in access exclusive mode");
                stage.last(Duration.ofMillis(random.nextInt(100, 3_000)));
                connection.rollback();
            }
        }
        return table;
    }

    private static String holdVacuumBack(Stage stage, SplittableRandom random)
            throws SQLException, InterruptedException {
        try (var connection = begin(stage)) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            execute(connection, "select pg_current_xact_id(), count(*) from waybill.outbox_message");
            stage.last(Duration.ofSeconds(random.nextInt(30, 90)));
            connection.rollback();
        }
        return "";
    }

    private static Connection begin(Stage stage) throws SQLException {
        Connection connection = stage.servers().connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private interface Statement {
        void run() throws SQLException;
    }
}
