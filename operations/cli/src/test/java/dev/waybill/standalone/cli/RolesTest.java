package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.Publisher;
import dev.waybill.relay.Relay;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.replay.OutboxReplay;
import dev.waybill.standalone.replay.ReplaySelection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each verb about a database works with the role that it names, and changes nothing with another one. */
@ExtendWith(PostgresExtension.class)
@Timeout(180)
class RolesTest {
    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Program owner;
    private final Map<Role, Program> programs = new EnumMap<>(Role.class);
    private int names;

    @BeforeEach
    void make_the_roles(TestDatabase database) throws SQLException, IOException {
        this.database = database;
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        owner = Program.with(Files.createDirectory(directory.resolve("owner")), Program.database(database));
        for (Role role : Role.values()) {
            database.execute("create role " + name(role));
            database.execute(role.grants(schema, name(role), Feature.all()));
            programs.put(role, Program.with(Files.createDirectory(directory.resolve(role.name())), """
                    database:
                      main:
                        url: "%s&options=-c%%20role%%3D%s"
                        schema: %s
                    """.formatted(
                            database.server().jdbcUrl(), name(role), schema)));
        }
    }

    private String name(Role role) {
        return schema + "_" + role.name().toLowerCase(Locale.ROOT);
    }

    @AfterEach
    void drop_them() throws SQLException {
        for (Role role : Role.values()) {
            database.execute("drop owned by " + name(role) + "; drop role " + name(role));
        }
    }

    @Test
    void every_verb_about_a_database_is_in_the_list() {
        var listed = new TreeSet<String>();
        DatabaseVerbs.ALL.forEach(
                verb -> listed.add(verb.replaceFirst(" (?:--.*|\\{.*|orders\\b.*|ledger\\b.*|m1\\b.*)$", "")));
        listed.addAll(DatabaseVerbs.OF_OWNERS);

        var known = new TreeSet<String>();
        collect("", commandLine(), known);
        assertThat(listed).isEqualTo(known);
    }

    private static CommandLine commandLine() {
        return Commands.commandLine(new ProcessEnvironment(Map.of(), Map.of()));
    }

    private static void collect(String path, CommandLine command, Set<String> known) {
        if (command.getCommand() instanceof DatabaseCommand) {
            known.add(path.strip());
        }
        command.getSubcommands().forEach((name, verb) -> collect(path + " " + name, verb, known));
    }

    @Test
    @Tag("long")
    void each_verb_works_with_its_role_and_is_told_its_role_with_others() throws IOException {
        var wrong = new ArrayList<String>();
        for (String verb : DatabaseVerbs.ALL) {
            Role own = roleOf(verb);
            for (Role other : EnumSet.of(Role.READONLY, someRole(verb))) {
                if (other != own && own != Role.READONLY && !maySo(other, verb)) {
                    requireRefused(verb, own, other, wrong);
                }
            }
            Result done = run(own, verb);
            if (Set.of(1, 2, 3, 5, 6).contains(done.exitCode())) {
                wrong.add(verb + " as " + own + ": " + done.exitCode() + " " + first(done));
            }
        }
        requireRefused("dlq groups", Role.READONLY, Role.APP, wrong);
        requireRefused("status", Role.READONLY, Role.CONSUMER, wrong);
        assertThat(wrong).isEmpty();
    }

    // Not all of them for each verb: the verbs of one kind meet every role together.
    private static Role someRole(String verb) {
        List<Role> all = List.copyOf(EnumSet.allOf(Role.class));
        return all.get(DatabaseVerbs.ALL.indexOf(verb) % all.size());
    }

    /** Rights that a role has for its own work are enough for these, too. */
    private static boolean maySo(Role role, String verb) {
        return switch (role) {
            case RELAY -> Set.of("lab append", "dlq import", "replay start").contains(beginning(verb));
            case OPERATOR -> verb.startsWith("lab append");
            case ERASER ->
                Set.of(
                                "dlq discard",
                                "dlq expire",
                                "dlq redact",
                                "dlq reopen",
                                "dlq restore",
                                "dlq quarantine",
                                "outbox skip",
                                "outbox skip-all",
                                "inbox held")
                        .contains(beginning(verb));
            default -> false;
        };
    }

    private static String beginning(String verb) {
        return String.join(" ", List.of(verb.split(" ", -1)).subList(0, 2));
    }

    private void requireRefused(String verb, Role own, Role other, List<String> wrong) throws IOException {
        Result refused = run(other, verb);
        if (refused.exitCode() != 1
                || !refused.err().contains("grants print " + own.name().toLowerCase(Locale.ROOT))) {
            wrong.add(verb + " as " + other + ": " + refused.exitCode() + " " + first(refused));
        }
    }

    private static String first(Result result) {
        return result.err().lines().findFirst().orElse("");
    }

    private Result run(Role role, String verb) throws IOException {
        return Objects.requireNonNull(programs.get(role)).run(prepared(verb).split(" ", -1));
    }

    private static Role roleOf(String verb) {
        CommandLine command = commandLine();
        for (String word : verb.split(" ", -1)) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                break;
            }
            command = next;
        }
        return Objects.requireNonNull(((DatabaseCommand) command.getCommand()).role());
    }

    /** Puts everything in its place that a verb may need, and its names into the verb. */
    private String prepared(String verb) throws IOException {
        names++;
        String ready = verb.replace("{name}", "n" + names).replace("{new}", directory.resolve("f" + names) + "");
        if (verb.startsWith("outbox") || verb.startsWith("inbox held")) {
            ready = ready.replace("{outbox}", hold("outbox", "orders"))
                    .replace("{outbox-place}", place("outbox"))
                    .replace("{inbox}", hold("inbox", "ledger"))
                    .replace("{inbox-place}", place("inbox"));
        }
        if (List.of("dlq", "erase", "erasures", "trace").contains(verb.split(" ", -1)[0])) {
            ready = ready.replace("{letter}", letters()).replace("{run}", run(verb));
        }
        if (verb.contains("{replay}")) {
            ready = ready.replace(
                    "{replay}",
                    OutboxReplay.of(database.dataSource(), schema)
                            .begin(ReplaySelection.of("orders"), "r")
                            .toString());
        }
        dsl.execute("insert into %s.outbox_destination (destination) values ('orders') on conflict do nothing"
                .formatted(schema));
        if (verb.startsWith("inbox prune")) {
            dsl.execute("insert into %s.inbox_message (key, consumer, message_id, handled_at)".formatted(schema)
                    + " values (gen_random_uuid(), 'ledger', 'm', now() - interval '9 days')");
        }
        if (verb.startsWith("replay start")) {
            publish();
        }
        if (verb.startsWith("relay resume")) {
            dsl.execute("update %s.outbox_destination set paused_at = now(), paused_by = 'ada', pause_reason = 'r'"
                    .formatted(schema));
        }
        return verb.startsWith("dlq import") || verb.startsWith("erasures") ? withFiles(ready) : ready;
    }

    private void publish() {
        var outbox = Outbox.builder().schema(schema).build();
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders")
                        .session("s")
                        .id("p" + names)
                        .text("x")
                        .build()));
        try (Relay relay = Relay.builder(database.dataSource())
                .schema(schema)
                .destination("orders")
                .retain("orders", Duration.ofDays(1))
                .publisher(new Taker())
                .build()) {
            relay.publishCommitted();
        }
    }

    private static final class Taker implements Publisher {
        @Override
        public CompletionStage<PublishResult> publish(Shipment shipment) {
            return CompletableFuture.completedFuture(
                    PublishResult.accepted(shipment.rows().size()));
        }

        @Override
        public void close() {}
    }

    private String withFiles(String ready) throws IOException {
        Path exported = directory.resolve("exported" + names);
        Path orders = directory.resolve("orders" + names);
        owner.run("dlq", "export", exported.toString());
        owner.run("erase", "--message", "gone", "--reason", "r", "--yes");
        owner.run("erasures", "export", orders.toString());
        return ready.replace("{exported}", exported.toString()).replace("{orders}", orders.toString());
    }

    private String hold(String side, String scope) {
        dsl.execute("delete from %s.%s_hold".formatted(schema, side));
        return dsl.fetchSingle(
                        """
                with h as (
                  insert into %1$s.%2$s_hold (%3$s, session_id, state, reason)
                  values ({0}, 's', 'parked', 'Refused') returning id), m as (
                  insert into %1$s.%2$s_held_message (hold_id, origin_position, origin_time, session_id, message_id, payload)
                  select id, n, now(), 's', 'm' || n, '' from h, generate_series(1, 2) n)
                select id::text from h
                """.formatted(schema, side, side.equals("outbox") ? "destination" : "consumer"), DSL.val(scope))
                .get(0, String.class);
    }

    private String place(String side) {
        return dsl.fetchSingle("select min(place)::text from %1$s.%2$s_held_message".formatted(schema, side))
                .get(0, String.class);
    }

    /** Open, archived and discarded ones; returns the number of an open one. */
    private String letters() {
        dsl.execute("truncate %1$s.dead_letter_message, %1$s.dead_letter_state, %1$s.dead_letter_archive cascade"
                .formatted(schema));
        dsl.execute("""
                with m as (
                  insert into %1$s.dead_letter_message
                    (key, entity, sequence_number, enqueued_at, message_id, session_id, headers, payload)
                  select gen_random_uuid(), 'orders', random() * 1000000, clock_timestamp(), name, 's', '{"name": "x"}', ''
                  from unnest(array['m1', 'old', 'done', 'odd']) name
                  returning id, message_id)
                insert into %1$s.dead_letter_state (id, state)
                select id, case message_id when 'done' then 'discarded' when 'odd' then 'quarantined' else 'open' end from m
                """.formatted(schema));
        DeadLetterArchive.in(database.dataSource(), schema)
                .archive(
                        DeadLetterFilter.everything().messageId("old"),
                        Duration.ZERO,
                        new AuditContext("ada", "because"));
        return dsl.fetchSingle("select id::text from %s.dead_letter_message where message_id = 'm1'".formatted(schema))
                .get(0, String.class);
    }

    private String run(String verb) {
        String state = verb.startsWith("dlq pause") ? "running" : "paused";
        return dsl.fetchSingle("""
                insert into %s.dead_letter_redrive (way, operator, reason, state) values ('source', 'ada', 'r', '%s')
                returning id::text
                """.formatted(schema, state)).get(0, String.class);
    }
}
