package dev.waybill.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.waybill.inbox.Verdict;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The extension in test classes of every make, side by side, and what is left after them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ExtensionLifeTest {
    private static final List<Integer> PORTS = new CopyOnWriteArrayList<>();

    @Test
    @Tag("long")
    void classes_of_every_make_run_side_by_side_and_leave_nothing() throws Exception {
        List<String> before = databases();

        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .selectors(
                        selectClass(OneForAll.class),
                        selectClass(OneInstance.class),
                        selectClass(OneForEach.class),
                        selectClass(ByAnnotation.class))
                .execute();

        results.testEvents().assertStatistics(events -> events.started(10).succeeded(10));
        assertNothingLeft(before);
    }

    @Test
    void a_test_that_fails_before_it_begins_leaves_nothing() throws Exception {
        List<String> before = databases();

        EngineExecutionResults results = run(FailsBefore.class);

        results.testEvents().assertStatistics(events -> events.started(1).failed(1));
        assertThat(PORTS).isNotEmpty();
        assertNothingLeft(before);
    }

    @Test
    void a_broker_or_tables_that_cannot_be_made_leave_no_database() throws Exception {
        List<String> before = databases();

        run(NoBroker.class).testEvents().assertStatistics(events -> events.failed(1));
        run(NoTables.class).testEvents().assertStatistics(events -> events.failed(1));

        assertNothingLeft(before);
    }

    @Test
    void two_extensions_in_one_class_are_refused_in_words() throws Exception {
        List<String> before = databases();

        EngineExecutionResults results = run(Two.class);

        Throwable thrown = results.testEvents().failed().stream()
                .findFirst()
                .orElseThrow()
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
        assertThat(thrown).hasMessageContaining("competing ParameterResolvers");
        assertNothingLeft(before);
    }

    @Test
    void a_jvm_that_never_needed_a_database_starts_none() throws Exception {
        assertThat(exitOf("unused")).isZero();
    }

    @Test
    @Tag("long")
    void no_thread_keeps_the_jvm_alive() throws Exception {
        assertThat(exitOf("used")).isZero();
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute();
    }

    private static int exitOf(String what) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KitProcess.class.getName(),
                        what)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void assertNothingLeft(List<String> before) throws Exception {
        assertThat(databases()).isEqualTo(before);
        for (int port : PORTS) {
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(IOException.class);
        }
        PORTS.clear();
    }

    /** After there is one base at least, which stays until the JVM ends. */
    private static List<String> databases() throws Exception {
        run(ByAnnotation.class);
        try (var pool = KitServer.start().connect("postgres");
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select datname from pg_database order by 1")) {
            var names = new ArrayList<String>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    private static void goTheWholeWay(TestWaybill waybill, Outbox outbox) throws Exception {
        PORTS.add(waybill.bus().port());
        waybill.appended().isEmpty();
        waybill.transaction(tx ->
                outbox.append(tx, OutboxMessage.to("mails").id("m").text("x").build()));
        waybill.publish();
        waybill.consumer("c", "mails", (tx, message) -> {
                    tx.execute("insert into effect values (1)");
                    return Verdict.done();
                })
                .handleAll()
                .hasIds("m");
        waybill.handled("c").hasIds("m");
    }

    private static WaybillExtension extension() {
        return WaybillExtension.with(bus -> bus.queue("mails")).tables("create table effect (id int primary key)");
    }

    static final class OneForAll {
        @RegisterExtension
        static final WaybillExtension WAYBILL = extension();

        @RepeatedTest(2)
        void test(TestWaybill waybill, Outbox outbox) throws Exception {
            goTheWholeWay(waybill, outbox);
        }

        @Nested
        final class Inner {
            @BeforeEach
            void append_something_else(TestWaybill waybill) throws Exception {
                waybill.appended().isEmpty();
            }

            @RepeatedTest(2)
            void test(TestWaybill waybill, Outbox outbox) throws Exception {
                goTheWholeWay(waybill, outbox);
            }
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static final class OneInstance {
        @RegisterExtension
        final WaybillExtension waybill = extension();

        @RepeatedTest(3)
        void test(TestWaybill waybill, Outbox outbox) throws Exception {
            goTheWholeWay(waybill, outbox);
        }
    }

    static final class OneForEach {
        @RegisterExtension
        final WaybillExtension waybill = extension();

        @RepeatedTest(2)
        void test(TestWaybill waybill, Outbox outbox) throws Exception {
            goTheWholeWay(waybill, outbox);
        }
    }

    @ExtendWith(WaybillExtension.class)
    static final class ByAnnotation {
        @Test
        void test(TestWaybill waybill) {
            PORTS.add(waybill.bus().port());
        }
    }

    static final class FailsBefore {
        @RegisterExtension
        static final WaybillExtension WAYBILL = extension();

        @BeforeEach
        void fail(TestWaybill waybill) {
            PORTS.add(waybill.bus().port());
            throw new IllegalStateException("before");
        }

        @Test
        void test() {}
    }

    static final class NoBroker {
        @RegisterExtension
        static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> {
            throw new IllegalStateException("no broker");
        });

        @Test
        void test(TestWaybill waybill) {}
    }

    static final class NoTables {
        @RegisterExtension
        static final WaybillExtension WAYBILL = new WaybillExtension().tables("create nonsense");

        @Test
        void test(TestWaybill waybill) {}
    }

    static final class Two {
        @RegisterExtension
        static final WaybillExtension ONE = extension();

        @RegisterExtension
        static final WaybillExtension OTHER = extension();

        @Test
        void test(TestWaybill waybill) {}
    }
}
