package dev.waybill.relay.send;

import static java.util.stream.Collectors.joining;

import dev.waybill.message.MessageContent;
import dev.waybill.relay.HoldPolicy;
import dev.waybill.relay.OutboxRow;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.PublishResult;
import dev.waybill.relay.read.ReadResult.ReadRow;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** The memory of a destination, with a clock of the test's; rows are named by session and value, as {@code a1}. */
final class LanesUnderTest {
    private static final int MOST = 1_000;

    final DestinationLanes lanes;
    private long now;
    private long nextOther = 10_000;

    LanesUnderTest(HoldPolicy policy) {
        lanes = new DestinationLanes(policy, () -> now);
    }

    void pass(Duration time) {
        now += time.toNanos();
    }

    /** Rows of lane 0. */
    void read(String... rows) {
        for (String row : rows) {
            read(0, row);
        }
    }

    void read(int lane, String row) {
        lanes.take(new ReadRow(lane, row(row, false)));
    }

    void readHeld(String row) {
        lanes.take(new ReadRow(0, row(row, true)));
    }

    private static OutboxRow row(String row, boolean held) {
        String session = row.replaceAll("\\d", "");
        long seq = Long.parseLong(row.replaceAll("\\D", ""));
        var content = MessageContent.of("m" + seq, session.isEmpty() ? null : session, new byte[10]);
        return new OutboxRow(seq, held, content, OptionalLong.empty());
    }

    /** Begins the only batch that there is. */
    Batch begin() {
        return begin(MOST);
    }

    Batch begin(int most) {
        List<Batch> batches = lanes.begin(most, Long.MAX_VALUE);
        if (batches.size() != 1) {
            throw new IllegalStateException("There are " + batches.size() + " batches");
        }
        return batches.get(0);
    }

    boolean hasNothingToSend() {
        return lanes.begin(MOST, Long.MAX_VALUE).isEmpty();
    }

    /** Sends the only batch and collects this result. */
    String send(Result result) {
        Batch batch = begin();
        lanes.collect(batch, result.of(batch.rows().size()));
        return names(batch);
    }

    /** Sends the only batch, and meanwhile a row of another lane is accepted. */
    String sendBesideAnother(Result result) {
        Batch batch = begin();
        acceptOthers(1);
        lanes.collect(batch, result.of(batch.rows().size()));
        return names(batch);
    }

    /** Rows of another lane are accepted, while this one has nothing to send. */
    void acceptOthers(int count) {
        for (int i = 0; i < count; i++) {
            read(9, "other" + nextOther++);
            lanes.collect(begin(1), PublishResult.accepted(1));
        }
    }

    static String names(Batch batch) {
        return batch.rows().stream().map(LanesUnderTest::name).collect(joining(" "));
    }

    private static String name(OutboxRow row) {
        return (row.sessionId() == null ? "" : row.sessionId()) + row.seq();
    }

    String blocked() {
        return lanes.blocked(MOST).stream()
                .map(row ->
                        (row.session() == null ? "" : row.session()) + row.key().seq())
                .collect(joining(" "));
    }

    String accepted() {
        return lanes.accepted(MOST).stream()
                .map(row -> String.valueOf(row.seq()))
                .collect(joining(" "));
    }

    /** What a publisher says of a batch. */
    interface Result {
        Result ACCEPTED = PublishResult::accepted;
        Result UNAVAILABLE = size -> PublishResult.failed(0, new IllegalStateException("away"));
        Result UNEXPLAINED = size -> new PublishResult(0, Outcome.UNEXPLAINED, new IllegalStateException("why?"));
        Result REFUSED = refusedBehind(0);

        PublishResult of(int size);

        static Result refusedBehind(int accepted) {
            return size -> PublishResult.refused(accepted, new IllegalArgumentException("too large"));
        }
    }
}
