package dev.waybill.standalone.doctor;

import static org.jooq.impl.DSL.val;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Compares the busiest second of the pending rows with the throughput of a shared namespace. */
final class TrafficExamination {
    /** Credits a second of a Standard namespace ("Throttling operations on Service Bus"). */
    private static final double CREDITS = 1_000;

    private static final double BUSY = 0.8;

    private final Configuration configuration;
    private final DatabaseSettings database;
    private final DataSource pool;
    private final Findings findings;

    TrafficExamination(Configuration configuration, DatabaseSettings database, DataSource pool, Findings findings) {
        this.configuration = configuration;
        this.database = database;
        this.pool = pool;
        this.findings = findings;
    }

    void run() {
        var byNamespace = new HashMap<NamespaceSettings, Map<String, Integer>>();
        for (DestinationSettings destination : configuration.destinations(database)) {
            NamespaceSettings namespace = configuration.namespace(database, destination);
            if (namespace.tier() != Tier.PREMIUM) {
                byNamespace
                        .computeIfAbsent(namespace, name -> new HashMap<>())
                        .put(destination.name(), credits(destination));
            }
        }
        byNamespace.forEach(this::judge);
    }

    /** One credit to send, one for each receiver, and one for each evaluated filter. */
    private static int credits(DestinationSettings destination) {
        if (!destination.form().topic()) {
            return 2;
        }
        return 1
                + destination.subscriptions().values().stream()
                        .mapToInt(subscription ->
                                1 + Math.max(1, subscription.rules().size()))
                        .sum();
    }

    private void judge(NamespaceSettings namespace, Map<String, Integer> credits) {
        var names = new ArrayList<>(credits.keySet());
        Integer[] costs = names.stream().map(credits::get).toArray(Integer[]::new);
        Double peak = DSL.using(pool, SQLDialect.POSTGRES)
                .fetchSingle(PEAK.formatted(database.schema()), val(names.toArray(String[]::new)), val(costs))
                .get(0, Double.class);
        if (peak > CREDITS * BUSY) {
            findings.warning(
                    Diagnosis.THROTTLED_AT_PEAK,
                    "database " + database.name() + ", namespace " + namespace.name(),
                    "in the busiest second messages worth " + Math.round(peak)
                            + " credits were appended; a namespace of tier " + namespace.tier() + " has 1000 a second",
                    "spread the work, split the namespace, or take Premium; the relay backs off and loses nothing");
        }
    }

    private static final String PEAK = """
            select coalesce(max(credits), 0)::double precision from (
              select date_trunc('second', m.created_at) as second, sum(c.cost) as credits
              from %1$s.outbox_message m join unnest({0}, {1}) as c(name, cost) on c.name = m.destination
              where m.seq > (select last_value from %1$s.outbox_seq) - 50000
              group by 1) s
            """;
}
