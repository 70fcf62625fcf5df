package dev.waybill.benchmarks.inbox;

import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A small business transaction that records an id, by the table and key it records it in. */
public final class KeyChoices {
    private static final Logger LOG = LoggerFactory.getLogger(KeyChoices.class);
    private static final int THREADS = 4;
    private static final String COLUMNS = "consumer text not null, message_id text not null"
            + ", handled_at timestamptz not null default clock_timestamp()";

    private final OutboxSchema schema;
    private final int retained;
    private final Map<String, Inserters.Transaction> choices = new LinkedHashMap<>();

    private KeyChoices(OutboxSchema schema, int retained) {
        this.schema = schema;
        this.retained = retained;
    }

    /** Reports each choice divided by the business alone, all in turn in every round. */
    public static void measure(Environment environment, Scale scale, Report report) throws Exception {
        int retained = scale.choose(1_000_000, 300_000, 1_000);
        try (OutboxSchema schema = environment.newSchema()) {
            var choices = new KeyChoices(schema, retained);
            choices.prepare();
            choices.measure(scale, report);
            report.note("keys: " + THREADS + " writers, one insert of business per transaction, " + retained
                    + " ids retained in each table");
        }
    }

    private void measure(Scale scale, Report report) throws Exception {
        var inserters = new Inserters(schema.pool("keys", THREADS), THREADS, scale.choose(2_000, 700, 50));
        var ratios = new LinkedHashMap<String, List<Double>>();
        int rounds = scale.choose(9, 5, 1);
        for (int round = -1; round < rounds; round++) {
            double alone = inserters.rate(business());
            for (var choice : choices.entrySet()) {
                double ratio = inserters.rate(choice.getValue()) / alone;
                if (round >= 0) {
                    ratios.computeIfAbsent(choice.getKey(), key -> new ArrayList<>())
                            .add(ratio);
                    LOG.info("key {} {}/{}: {}", choice.getKey(), round + 1, rounds, ratio);
                }
            }
        }
        ratios.forEach((choice, values) -> report.detail("key " + choice + ", of business only", Spread.of(values)));
    }

    private void prepare() {
        schema.runScript("create table " + table("business") + " (id bigint generated always as identity primary key"
                + ", account text not null, amount bigint not null)");
        choice("text, text", "by_text", COLUMNS + ", primary key (consumer, message_id)", "", "");
        choice("digest as uuid", "by_uuid", "key uuid primary key, " + COLUMNS, "", "gen_random_uuid(), ");
        choice(
                "digest as bytea",
                "by_bytea",
                "key bytea primary key, " + COLUMNS,
                "",
                "uuid_send(gen_random_uuid()), ");
        choice(
                "digest as uuid, 8 hash partitions",
                "by_hash",
                "key uuid primary key, " + COLUMNS,
                " partition by hash (key)",
                "gen_random_uuid(), ");
        choice(
                "digest as uuid, and an index by age",
                "by_age",
                "key uuid primary key, " + COLUMNS,
                "",
                "gen_random_uuid(), ");
        schema.runScript("create index on " + table("by_age") + " (handled_at)");
        Inserters.Transaction together = (connection, id) -> {
            String sql = insert("by_uuid", "?::uuid, ") + ";\n" + businessSql();
            try (var statement = connection.prepareStatement(sql)) {
                statement.setObject(1, digest(id));
                statement.setString(2, id);
                statement.setString(3, id);
                statement.execute();
            }
        };
        choices.put("digest as uuid, in the round trip of the business", together);
    }

    private void choice(String name, String table, String columns, String partitioning, String randomKey) {
        schema.runScript("create table " + table(table) + " (" + columns + ")" + partitioning);
        for (int i = 0; i < 8 && !partitioning.isEmpty(); i++) {
            schema.runScript("create table " + table(table + "_" + i) + " partition of " + table(table)
                    + " for values with (modulus 8, remainder " + i + ")");
        }
        schema.runScript("insert into " + table(table) + " select " + randomKey
                + "'ledger', 'retained-' || n from generate_series(1, " + retained + ") n order by random()");
        schema.runScript("vacuum (analyze) " + table(table));
        boolean text = randomKey.isEmpty();
        boolean bytea = randomKey.startsWith("uuid_send");
        String sql = insert(table, text ? "" : bytea ? "uuid_send(?::uuid), " : "?::uuid, ");
        Inserters.Transaction record = (connection, id) -> {
            try (var statement = connection.prepareStatement(sql)) {
                if (!text) {
                    statement.setObject(1, digest(id));
                }
                statement.setString(text ? 1 : 2, id);
                if (statement.executeUpdate() != 1) {
                    throw new IllegalStateException("'" + id + "' was there already");
                }
            }
        };
        choices.put(name, record.then(business()));
    }

    private Inserters.Transaction business() {
        return (connection, id) -> {
            try (var statement = connection.prepareStatement(businessSql())) {
                statement.setString(1, id);
                statement.executeUpdate();
            }
        };
    }

    private String businessSql() {
        return "insert into " + table("business") + " (account, amount) values (?, 1)";
    }

    private String insert(String table, String key) {
        return "insert into " + table(table) + " values (" + key + "'ledger', ?) on conflict do nothing";
    }

    private String table(String name) {
        return schema.name().table(name);
    }

    private static UUID digest(String id) {
        return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8));
    }
}
