package dev.waybill.standalone.doctor;

import dev.waybill.relay.RelayGrants;
import dev.waybill.schema.FeatureMissing;
import dev.waybill.schema.Grants;
import dev.waybill.schema.Identifier;
import dev.waybill.schema.OptionalTables;
import dev.waybill.schema.Prerequisites;
import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SqlError;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.database.Alarm;
import dev.waybill.standalone.database.AlarmCauses;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.StatusReader;
import dev.waybill.standalone.topology.ShellText;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** Examines tables, grants, blocking transactions and the clock. */
final class TablesExamination {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Set<String> OF_THE_BROKER = Set.of("unavailable", "throttled", "stalled");
    private static final Duration SKEW = Duration.ofSeconds(5);

    private final DatabaseSettings database;
    private final DataSource pool;
    private final DSLContext dsl;
    private final SchemaName schema;
    private final Findings findings;
    private final InstantSource clock;
    private final Set<String> unreached;
    private final String where;

    /** @param unreached destinations of an unreachable namespace */
    TablesExamination(
            DatabaseSettings database, DataSource pool, Findings findings, InstantSource clock, Set<String> unreached) {
        this.unreached = unreached;
        this.database = database;
        this.pool = pool;
        this.schema = database.schema();
        this.dsl = OptionalTables.of(DSL.using(pool, SQLDialect.POSTGRES), schema);
        this.findings = findings;
        this.clock = clock;
        this.where = "database " + database.name();
    }

    boolean run() {
        try {
            if (!FeatureMissing.isInstalled(dsl, schema, "outbox_message")) {
                findings.error(
                        Diagnosis.TABLES,
                        where,
                        "there is no outbox in schema '" + schema + "' that this role may see",
                        "waybill-relay migrate up --database " + ShellText.word(database.name()));
                return false;
            }
        } catch (DataAccessException e) {
            if (SqlError.DENIED.is(e.sqlState())) {
                findings.error(Diagnosis.GRANTS, where, DatabaseFailure.why(e), grantAll());
                return false;
            }
            findings.error(
                    DatabaseFailure.isConnection(e) ? Diagnosis.DATABASE_AWAY : Diagnosis.TABLES,
                    where,
                    DatabaseFailure.text(database, e),
                    "waybill-relay config print   # database." + database.name()
                            + ": url, user, "
                            + database.connection()
                                    .signIn()
                                    .credential()
                                    .map(name -> "credential")
                                    .orElse("password")
                            + "; runbooks/database-away.md");
            return false;
        }
        if (isReadOnly()) {
            findings.error(
                    Diagnosis.NOT_PUBLISHING,
                    where,
                    "a relay must write, and the server takes no writes: it is a standby, or"
                            + " default_transaction_read_only is on for role " + role(),
                    "waybill-relay config print   # add targetServerType=primary to database." + database.name()
                            + ".url; or alter role " + Grants.user(dsl) + " reset default_transaction_read_only");
            return false;
        }
        clock();
        grants();
        if (mayRead()) {
            alarms();
            vacuum(LONG);
            new AppendsExamination(dsl, schema, findings, where).run(AppendsExamination.LONG);
            new SequencesExamination(dsl, schema, findings, where).run();
            deferrals();
            return true;
        }
        return false;
    }

    private void clock() {
        OffsetDateTime theirs = dsl.fetchSingle("select clock_timestamp()").get(0, OffsetDateTime.class);
        Duration skew = Duration.between(theirs.toInstant(), clock.instant()).abs();
        if (skew.compareTo(SKEW) > 0) {
            findings.warning(
                    Diagnosis.CLOCK,
                    where,
                    "its clock and this machine's are " + skew.toSeconds() + " s apart",
                    "let both follow the same time service");
        }
    }

    private boolean mayRead() {
        return dsl.fetchSingle(
                        "select has_schema_privilege({0}, 'usage') and has_table_privilege({1}, 'select')",
                        DSL.val(schema.value()), DSL.val(schema.table("outbox_message")))
                .get(0, Boolean.class);
    }

    private void grants() {
        Map<Boolean, List<Grants.Missing>> missing = RelayGrants.missing(dsl, schema).stream()
                .collect(Collectors.partitioningBy(Grants.Missing::isOfServer));
        lacking(Objects.requireNonNull(missing.get(false)), grantAll());
        List<Grants.Missing> functions = Objects.requireNonNull(missing.get(true));
        lacking(functions, statements(functions) + "   # as a superuser; every role may call them by default");
        for (String table : Prerequisites.hidingTables(dsl, schema)) {
            findings.error(
                    Diagnosis.GRANTS,
                    where,
                    "row level security may hide rows of " + table + " from role " + role(),
                    "alter table " + schema.table(table) + " disable row level security;   # or alter role "
                            + Identifier.quoted(role())
                            + " bypassrls");
        }
    }

    private void lacking(List<Grants.Missing> missing, String fix) {
        if (!missing.isEmpty()) {
            String grants = missing.stream().map(Grants.Missing::toString).collect(Collectors.joining(", "));
            findings.error(Diagnosis.GRANTS, where, "role " + role() + " lacks " + grants, fix);
        }
    }

    private String grantAll() {
        return Grants.command(schema, "relay", ShellText.word(role())) + "   # as the tables' owner";
    }

    private String statements(List<Grants.Missing> missing) {
        String user = Grants.user(dsl);
        return missing.stream().map(each -> each.statement(schema, user) + ";").collect(Collectors.joining(" "));
    }

    // Not the current value, which the console sets to on for its own transactions.
    private boolean isReadOnly() {
        return dsl.fetchSingle("select pg_is_in_recovery() or reset_val = 'on' from pg_settings"
                        + " where name = 'default_transaction_read_only'")
                .get(0, Boolean.class);
    }

    private String role() {
        return dsl.fetchSingle("select current_user::text").get(0, String.class);
    }

    private void alarms() {
        List<Alarm> alarms = new StatusReader(database.name(), pool, schema)
                .alarms().stream().filter(alarm -> !isExplained(alarm)).toList();
        for (Alarm alarm : AlarmCauses.of(alarms)) {
            String at = where + alarm.destination().map(name -> ", " + name).orElse("");
            switch (alarm.name()) {
                case "no-relay", "unowned", "stalled" ->
                    findings.error(
                            Diagnosis.NOT_PUBLISHING,
                            at,
                            alarm.detail(),
                            "waybill-relay run   # one more relay whose configuration has the destination is enough; its log names the cause");
                case "two-namespaces" ->
                    findings.error(
                            Diagnosis.NOT_PUBLISHING,
                            at,
                            alarm.detail(),
                            "Stop the relay with the wrong namespace   # then runbooks/two-namespaces.md");
                case "two-spellings" ->
                    findings.error(
                            Diagnosis.NOT_PUBLISHING,
                            at,
                            alarm.detail(),
                            "Let all relays and appends use one spelling   # then runbooks/two-spellings.md");
                case "refused" -> refused(at, alarm.detail());
                case "parked" -> findings.warning(Diagnosis.POISON_STALLS, at, alarm.detail(), parked(alarm));
                case "not-receiving" ->
                    findings.error(
                            Diagnosis.NOT_PUBLISHING,
                            at,
                            alarm.detail(),
                            "waybill-relay topology check   # then runbooks/not-receiving.md");
                case "paused" -> findings.warning(Diagnosis.NOT_PUBLISHING, at, alarm.detail(), resume(alarm));
                default ->
                    findings.warning(
                            Diagnosis.NOT_PUBLISHING,
                            at,
                            alarm.name() + ": " + alarm.detail(),
                            "waybill-relay watch" + chosen() + "   # runbooks/" + alarm.name() + ".md");
            }
        }
    }

    private boolean isExplained(Alarm alarm) {
        return OF_THE_BROKER.contains(alarm.name())
                && alarm.destination().filter(unreached::contains).isPresent();
    }

    private String parked(Alarm alarm) {
        String side = alarm.detail().contains("of the inbox") ? "inbox held" : "outbox";
        return "waybill-relay " + side + " list" + chosen() + "   # then release, edit or skip by id";
    }

    private String resume(Alarm alarm) {
        return "waybill-relay relay resume "
                + ShellText.word(alarm.destination().orElse("DESTINATION")) + chosen() + " --reason 'it may go on'";
    }

    private String chosen() {
        return " --database " + ShellText.word(database.name());
    }

    private void refused(String at, String detail) {
        String text = detail.toLowerCase(Locale.ROOT);
        if (text.contains("unauthorized")
                || text.contains("401")
                || text.contains("claim")
                || text.contains("credential")) {
            findings.error(
                    Diagnosis.ROLE_MISSING,
                    at,
                    detail,
                    "waybill-relay doctor   # as the relay's identity: its finding 12 has the command that gives the right");
        } else {
            boolean missing = text.contains("not-found");
            findings.error(
                    Diagnosis.ENTITY, at, detail, missing ? EntityExamination.CREATE : "waybill-relay topology plan");
        }
    }

    /** Reports transactions that delayed vacuum for longer than this. */
    void vacuum(Duration longer) {
        for (var row : dsl.fetch(HOLDING_UP.formatted(schema), DSL.val(longer.toMillis()))) {
            findings.warning(
                    Diagnosis.VACUUM_DELAYED,
                    where,
                    row.get("who") + " has had " + row.get("what") + " open for " + row.get("seconds") + " s",
                    String.valueOf(row.get("fix")));
        }
    }

    private void deferrals() {
        for (var row : dsl.fetch(FORGOTTEN.formatted(schema))) {
            findings.warning(
                    Diagnosis.DEFERRED_FORGOTTEN,
                    where + ", consumer " + row.get("consumer"),
                    row.get("count") + " messages lie deferred since " + row.get("oldest")
                            + ", and nobody has asked for them; the first has the key '" + row.get("key") + "'",
                    "resume them by their key; see inbox_deferral");
        }
    }

    // A lock of more than ten minutes: a dump, a report, a forgotten or a prepared transaction.
    private static final String HOLDING_UP = """
            select coalesce('session ' || a.pid || ' of ' || a.usename || ' (' || a.application_name || ')', 'somebody') as who,
              'a transaction (' || a.state || ') that has read or written the outbox' as what,
              round(extract(epoch from clock_timestamp() - a.xact_start)) as seconds,
              'select pg_terminate_backend(' || a.pid || ');   -- or end it where it runs' as fix
            from pg_stat_activity a
            where a.xact_start < clock_timestamp() - {0} * interval '1 millisecond' and a.pid <> pg_backend_pid()
              and exists (select from pg_locks l join pg_class c on c.oid = l.relation
                where l.pid = a.pid and c.relnamespace = '%1$s'::regnamespace and c.relname like 'outbox\\_message%%')
            union all
            select 'nobody: prepared transaction ' || p.gid || ' of ' || p.owner, 'a prepared transaction',
              round(extract(epoch from clock_timestamp() - p.prepared)),
              'ask its transaction manager for the outcome, then: commit prepared ' || quote_literal(p.gid)
                || ';   -- or, if it says so: rollback prepared ' || quote_literal(p.gid)
            from pg_prepared_xacts p
            where p.database = current_database() and p.prepared < clock_timestamp() - {0} * interval '1 millisecond'
            """;

    private static final String FORGOTTEN = """
            select consumer, count(*) as count, min(deferred_at)::timestamptz(0)::text as oldest,
              (array_agg(defer_key order by deferred_at))[1] as key
            from %1$s.inbox_deferral
            where resume_at is null and deferred_at < clock_timestamp() - interval '1 day'
            group by consumer order by consumer
            """;
}
