package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A wrong setting is met where it is written. No database is asked. */
class RelayBuilderTest {
    private static final DataSource NEVER_ASKED = new PGSimpleDataSource();

    private final RecordingPublisher broker = new RecordingPublisher();

    @Test
    void settings_that_cannot_work_are_refused_when_the_relay_is_built() {
        assertThatThrownBy(() -> Relay.builder(NEVER_ASKED).destination("q").build())
                .hasMessageContaining("publisher");
        assertThatThrownBy(() -> Relay.builder(NEVER_ASKED).publisher(broker).build())
                .hasMessageContaining("destination");
        assertThatThrownBy(() -> Relay.builder(NEVER_ASKED)
                        .publisher(broker)
                        .destination("q")
                        .leaseDuration(Duration.ofMillis(10)))
                .hasMessageContaining("1 s");
    }

    @Test
    @SuppressWarnings("NullAway")
    void a_setting_that_no_relay_can_work_with_is_refused_where_it_is_written() {
        var builder = Relay.builder(NEVER_ASKED);
        for (String name : new String[] {"", " ", " orders", "orders\n"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.destination(name))
                    .withMessageStartingWith("A destination");
        }
        for (Duration lease : List.of(Duration.ZERO, Duration.ofSeconds(-5), Duration.ofDays(60))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.leaseDuration(lease))
                    .withMessage("A lease takes 1 s to 1 day, not " + lease);
        }
        for (int rows : new int[] {0, 10_001, Integer.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.pageRows(rows))
                    .withMessage("A page takes 1 to 10000 rows of a bucket, not " + rows);
        }
        for (Duration rest : List.of(Duration.ofNanos(-1), Duration.ofDays(400_000))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.lookInterval(rest))
                    .withMessage("The interval between looks is 0 to 1 day, not " + rest);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.longestIdle(rest))
                    .withMessage("The longest idle rest is 1 ms to 1 day, not " + rest);
        }
        for (int partitions : new int[] {-1, 6}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.historyPartitions(partitions))
                    .withMessage("The ring has room for 0 to 5 partitions of history, not " + partitions);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.partitionAge(Duration.ZERO))
                .withMessageContaining("age of a partition");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.claims(ClaimStore.inPostgres(SchemaName.DEFAULT), Duration.ZERO))
                .withMessageContaining("retention");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.name("")).withMessageContaining("not blank");
        assertThatNullPointerException().isThrownBy(() -> builder.name(null)).withMessageContaining("name");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.destination("q", null))
                .withMessage("The policy of destination 'q' is not null");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.destination(null))
                .withMessageContaining("destination");
        assertThatNullPointerException().isThrownBy(() -> Relay.builder(null)).withMessageContaining("data source");

        var longest = builder.destination("q").leaseDuration(Duration.ofDays(1)).publisher(broker);
        assertThatCode(longest::build).doesNotThrowAnyException();
    }

    /** The database stores no such character, so nothing that names it can be written. */
    @Test
    void a_name_that_the_database_cannot_store_is_refused_where_it_is_written() {
        var builder = Relay.builder(NEVER_ASKED);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.destination("or\0ders"))
                .withMessageStartingWith("A destination");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.name("re\0lay"))
                .withMessageStartingWith("A relay's name");
    }

    /** Housekeeping would fail each time it asks whether so much time is over, and nothing would be emptied. */
    @Test
    void an_age_that_is_no_time_of_the_database_is_refused_where_it_is_written() {
        var builder = Relay.builder(NEVER_ASKED);
        for (Duration age : List.of(Duration.ofDays(40_000), ChronoUnit.FOREVER.getDuration())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.partitionAge(age))
                    .withMessageContaining("age of a partition");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.claims(ClaimStore.inPostgres(SchemaName.DEFAULT), age))
                    .withMessageContaining("retention");
        }
    }
}
