package dev.waybill.standalone.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.Holds;
import dev.waybill.relay.Destinations;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Each alarm of the database reaches Prometheus' rules when its cause is there, and leaves them when it is gone. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class AlarmRulesTest {
    private MonitoredRelay relay;

    @BeforeEach
    void start(TestDatabase database, @TempDir Path directory) throws Exception {
        relay = new MonitoredRelay(database, directory);
        relay.start("one");
    }

    @AfterEach
    void stop() throws SQLException {
        relay.close();
    }

    @Test
    @Tag("long")
    void a_database_that_refuses_the_relay_is_told_although_no_figure_is_known() throws SQLException {
        sql("alter role " + relay.role + " nologin");
        sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = '" + relay.role + "'");

        relay.awaitFiring("WaybillDatabaseUnreachable", "database", "main");
        relay.awaitFiring("WaybillNotWorking", "database", "main");
        assertThat(relay.scrape()).extracting(Sample::name).doesNotContain("waybill_outbox_pending_messages");

        sql("alter role " + relay.role + " login");
        relay.awaitQuiet("WaybillDatabaseUnreachable", "database", "main");
        relay.awaitQuiet("WaybillNotWorking", "database", "main");
    }

    @Test
    @Tag("long")
    void a_relay_that_cannot_say_that_it_lives_and_one_that_cannot_record() throws SQLException {
        sql("revoke delete on " + relay.schema.table("outbox_message") + " from " + relay.role);
        relay.append("notes", "", "m1");
        relay.awaitFiring("WaybillAlarm", "alarm", "database");
        sql("grant delete on " + relay.schema.table("outbox_message") + " to " + relay.role);
        relay.awaitQuiet("WaybillAlarm", "alarm", "database");

        sql("create function " + relay.schema.table("silence") + "() returns trigger language plpgsql as"
                + " 'begin if old.alive_until is distinct from new.alive_until then raise exception ''silenced''; end if;"
                + " return new; end'; create trigger silenced before insert or update on "
                + relay.schema.table("relay") + " for each row execute function " + relay.schema.table("silence")
                + "()");
        relay.awaitFiring("WaybillAlarm", "alarm", "no-relay");
        relay.awaitFiring("WaybillNotWorking", "database", "main");
        sql("drop trigger silenced on " + relay.schema.table("relay"));
        relay.awaitQuiet("WaybillAlarm", "alarm", "no-relay");
        relay.awaitQuiet("WaybillNotWorking", "database", "main");
    }

    @Test
    @Tag("long")
    void destinations_that_nobody_can_take() throws SQLException {
        String destinations = relay.schema.table("outbox_destination");
        sql("update " + destinations + " set owner = null, epoch = epoch + 1, free_at = '-infinity';"
                + " create function " + relay.schema.table("keep")
                + "() returns trigger language plpgsql as 'begin return null; end';"
                + " create trigger nobody_takes_it before update on " + destinations + " for each row execute function "
                + relay.schema.table("keep") + "()");
        relay.awaitFiring("WaybillAlarm", "alarm", "unowned");

        sql("drop trigger nobody_takes_it on " + destinations);
        relay.awaitQuiet("WaybillAlarm", "alarm", "unowned");
    }

    @Test
    void a_message_for_a_destination_that_no_relay_knows() throws SQLException {
        relay.append("nowhere", "s", "m1");
        sql("update " + relay.schema.table("outbox_message")
                + " set created_at = created_at - interval '2 minutes' where destination = 'nowhere'");
        relay.awaitFiring("WaybillAlarm", "alarm", "stalled");
        relay.awaitFiring("WaybillLate", "destination", "nowhere");

        sql("delete from " + relay.schema.table("outbox_message") + " where destination = 'nowhere'");
        relay.awaitQuiet("WaybillAlarm", "alarm", "stalled");
        relay.awaitQuiet("WaybillLate", "destination", "nowhere");
    }

    @Test
    @Tag("long")
    void a_broker_that_is_away() {
        relay.bus.suspend();
        relay.append("notes", "", "m1");
        relay.awaitFiring("WaybillAlarm", "alarm", "unavailable");

        relay.bus.resume();
        relay.awaitQuiet("WaybillAlarm", "alarm", "unavailable");
    }

    @Test
    @Tag("long")
    void a_broker_that_asks_for_patience() {
        var busy = relay.bus
                .faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity("notes")
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        relay.append("notes", "", "m1");
        relay.awaitFiring("WaybillAlarm", "alarm", "throttled");

        busy.cancel();
        relay.awaitQuiet("WaybillAlarm", "alarm", "throttled");
    }

    @Test
    void a_queue_that_is_gone() {
        relay.bus.delete("notes");
        relay.append("notes", "", "m1");
        relay.awaitFiring("WaybillAlarm", "alarm", "refused");

        relay.bus.createQueue("notes", queue -> queue);
        relay.awaitQuiet("WaybillAlarm", "alarm", "refused");
    }

    @Test
    void a_message_that_is_parked_and_a_destination_that_is_paused() throws SQLException {
        relay.append("orders", "", "no-session");
        relay.awaitFiring("WaybillWarning", "alarm", "parked");
        Holds.ofOutbox(relay.database.dataSource(), relay.schema)
                .skipAll(HoldFilter.parked(), new AuditContext("ana", "it has no session"));
        relay.awaitQuiet("WaybillWarning", "alarm", "parked");

        var destinations = Destinations.of(relay.database.dataSource(), relay.schema);
        destinations.pause("notes", new AuditContext("ana", "a test"));
        relay.awaitFiring("WaybillWarning", "alarm", "paused");
        destinations.resume("notes", new AuditContext("ana", "it has passed"));
        relay.awaitQuiet("WaybillWarning", "alarm", "paused");
    }

    private void sql(String statement) throws SQLException {
        relay.database.execute(statement);
    }
}
