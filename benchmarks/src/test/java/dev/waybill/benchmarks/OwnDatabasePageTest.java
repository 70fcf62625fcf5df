package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.test.TestWaybill;
import dev.waybill.test.WaybillExtension;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of the page on testing for a database that is there before the tests. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OwnDatabasePageTest {
    private static final PostgresServer server = PostgresServer.start();
    private static final HikariDataSource dataSource = server.newPool(10);

    @RegisterExtension
    static final WaybillExtension WAYBILL = WaybillExtension.with(bus -> bus.queue("mails"))
            .on(() -> dataSource)
            .emptied();

    @AfterAll
    static void stop() {
        dataSource.close();
        server.close();
    }

    @Test
    void it_gets_the_tables(TestWaybill waybill) {
        waybill.appended().isEmpty();
        assertThat(waybill.publish()).isZero();
    }
}
