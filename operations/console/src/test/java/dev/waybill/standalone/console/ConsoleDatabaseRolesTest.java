package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.ConsoleSettings.Login;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.database.BacklogSamples;
import dev.waybill.standalone.database.DestinationView;
import dev.waybill.standalone.database.Pools;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The console as three database roles: each has the grants that the page names, and no more. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleDatabaseRolesTest {
    private static final List<Role> ROLES = List.of(Role.RELAY, Role.READONLY, Role.OPERATOR);

    @TempDir
    private Path directory;

    private TestDatabase database;
    private String schema;
    private String url;

    @BeforeEach
    void make_the_roles(TestDatabase database) throws SQLException {
        this.database = database;
        schema = database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()));
        url = database.server()
                .jdbcUrl()
                .replaceAll("([?&])(user|password)=[^&]*&?", "$1")
                .replaceAll("[?&]$", "");
        for (Role role : ROLES) {
            String name = name(role);
            database.execute("create role " + name + " login password 'secret'");
            database.execute(role.grants(new SchemaName(schema), name, Feature.all()));
        }
        ExampleOutbox.fill(DSL.using(database.dataSource(), SQLDialect.POSTGRES), schema);
        database.execute(("with gone as (delete from %1$s.outbox_message where destination = 'orders' returning *)"
                        + " insert into %1$s.outbox_published (seq, destination, session_id, message_id, payload, created_at)"
                        + " select seq, destination, session_id, message_id, payload, created_at from gone")
                .formatted(schema));
    }

    @AfterEach
    void drop_them() throws SQLException {
        for (Role role : ROLES) {
            database.execute("drop owned by " + name(role) + "; drop role " + name(role));
        }
    }

    private String name(Role role) {
        return schema + "_" + role.name().toLowerCase(Locale.ROOT);
    }

    private RunningConsole start(Role operator) {
        RunningConsole console = RunningConsole.withPeople(
                database,
                directory,
                "database.main.url",
                url,
                "database.main.user",
                name(Role.RELAY),
                "database.main.password",
                "secret",
                "database.main.viewer-user",
                name(Role.READONLY),
                "database.main.viewer-password",
                "secret",
                "database.main.operator-user",
                name(operator),
                "database.main.operator-password",
                "secret");
        return console;
    }

    @Test
    void pages_need_the_grants_of_readonly_and_changes_those_of_operator() {
        try (RunningConsole console = start(Role.OPERATOR)) {
            RawHttp olga = console.as("olga");
            for (String path : List.of(
                    "/",
                    "/destination?db=main&name=orders",
                    "/messages?db=main&by=session&text=wallet-7",
                    "/body?db=main&letter=1",
                    "/dead-letters/many?db=main&deed=redrive",
                    "/dead-letters/many?db=main&deed=restore&state=archived",
                    "/dead-letter/edit?db=main&id=1",
                    "/held/many?db=main&deed=release",
                    "/hold/edit?db=main&side=outbox&id=1&place=1",
                    "/redrives?db=main",
                    "/consumers?db=main",
                    "/scheduled?db=main",
                    "/deferrals?db=main",
                    "/replay?db=main",
                    "/replay/plan?db=main&destination=orders",
                    "/audit?db=main",
                    "/doctor",
                    "/body?db=main&scope=orders&message=debit-42&session=wallet-7")) {
                assertThat(olga.get(path).status()).as(path).isEqualTo(200);
            }
            assertThat(olga.get("/").body()).contains("invoices").doesNotContain("permission denied");
            Answer page = olga.get("/destination?db=main&name=orders");
            String[] form = {"csrf", page.hidden("csrf"), "name", "orders", "reason", "flood"};
            assertThat(olga.post("/destination/pause?db=main", form).status()).isEqualTo(303);
            Answer dryRun = olga.get("/dead-letters/many?db=main&deed=redrive&entity=orders");
            String[] redrive = {
                "csrf",
                dryRun.hidden("csrf"),
                "count",
                "3",
                "last",
                dryRun.hidden("last"),
                "at",
                dryRun.hidden("at"),
                "reason",
                "x"
            };
            assertThat(olga.post("/dead-letters/many?db=main&deed=redrive&entity=orders", redrive)
                            .header("Location"))
                    .endsWith("done=redrive-begun");
            Answer waiting = olga.get("/scheduled-message?db=main&id=1");
            assertThat(olga.post(
                                    "/scheduled-message/cancel?db=main",
                                    "csrf",
                                    waiting.hidden("csrf"),
                                    "id",
                                    "1",
                                    "seen",
                                    waiting.hidden("seen"),
                                    "typed",
                                    "later-1",
                                    "reason",
                                    "x")
                            .header("Location"))
                    .endsWith("message-cancelled");
            Answer plan = olga.get("/replay/plan?db=main&destination=orders&until=2030-01-01T00:00");
            assertThat(olga.post(
                                    "/replay/start?db=main",
                                    "csrf",
                                    plan.hidden("csrf"),
                                    "destination",
                                    "orders",
                                    "session",
                                    "",
                                    "from",
                                    "",
                                    "until",
                                    plan.hidden("until"),
                                    "seen",
                                    plan.hidden("seen"),
                                    "typed",
                                    plan.hidden("seen"),
                                    "reason",
                                    "x")
                            .header("Location"))
                    .endsWith("replay-begun");
        }

        assertThat(DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                        .fetchSingle("select distinct operator || ' as ' || database_user from " + schema
                                + ".operator_action")
                        .get(0))
                .isEqualTo("olga as " + name(Role.OPERATOR));
    }

    @Test
    void a_change_that_the_database_refuses_is_told_with_what_to_do() {
        try (RunningConsole console = start(Role.READONLY)) {
            RawHttp olga = console.as("olga");
            Answer page = olga.get("/destination?db=main&name=orders");

            Answer refused = olga.post(
                    "/destination/pause?db=main", "csrf", page.hidden("csrf"), "name", "orders", "reason", "flood");

            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).contains("permission denied for table outbox_destination", "grants print");
        }
    }

    @Test
    void a_page_cannot_write_whatever_its_role_may_do() {
        var connection =
                new DatabaseSettings.Connection(database.server().jdbcUrl(), DatabaseSettings.SignIn.BY_URL, 2);
        var owner = new DatabaseSettings("main", connection, new SchemaName(schema), "", List.of(), List.of());

        try (var pool = Pools.forViewers(owner, new Login(Optional.empty(), Optional.empty()))) {
            assertThatThrownBy(() ->
                            DSL.using(pool, SQLDialect.POSTGRES).execute("delete from " + schema + ".outbox_hold"))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("read-only transaction");
        }
    }

    @Test
    void a_relay_keeps_what_waits_with_the_grants_of_relay() {
        var relay = new PGSimpleDataSource();
        relay.setUrl(url);
        relay.setUser(name(Role.RELAY));
        relay.setPassword("secret");
        var view =
                new DestinationView("orders", 7, 1, new DestinationView.Held(0, 0), Optional.empty(), Optional.empty());

        new BacklogSamples(relay, new SchemaName(schema), System::nanoTime).keep(List.of(view));

        assertThat(DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                        .fetchSingle("select pending from " + schema + ".outbox_sample")
                        .get(0))
                .isEqualTo(7L);
    }
}
