package dev.waybill.benchmarks;

import dev.waybill.benchmarks.environment.Environment;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmarks that take longest, apart, so that a second JVM runs them beside the others. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("long")
class LongBenchmarksSmokeTest {
    private static final Environment ENVIRONMENT = Environment.embedded();

    @TempDir
    private Path directory;

    @AfterAll
    static void stop() {
        ENVIRONMENT.close();
    }

    @ParameterizedTest
    @CsvSource({
        "inbox, ratioInboxToBare ratioBatchToRawSession ratioSpringToOwn ratio10mTo10k ratioBeyondBuffersTo10k"
                + " sessionsPerSecond releasedHoldsPerSecond deliveriesPerMessage",
        "cost, serverRatioToPlainPoller500 serverRatioToPlainPoller1000 clientRatioToPlainPoller500"
                + " p50Millis500 p99Millis500 pinnedToFree pinnedByWriterToFree millisReadTwoMillionDead",
        "spring, startCpuMillisAdded ratioSpringToOwnAppends ratioSpringToOwnHandlers",
        "handover, join leave restart hangOverLease"
    })
    void a_benchmark_reports_the_keys_of_its_contract(String name, String keys) throws Exception {
        SmokeRun.reports(ENVIRONMENT, directory, name, keys);
    }
}
