package dev.waybill.test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Rounds of publishing and handling until one moves nothing. */
final class QuietRun {
    private final IntSupplier publish;
    private final List<TestConsumer> consumers;
    private final OutboxTables tables;
    private final List<SeenMessage> settled = new ArrayList<>();

    QuietRun(IntSupplier publish, List<TestConsumer> consumers, OutboxTables tables) {
        this.publish = publish;
        this.consumers = consumers;
        this.tables = tables;
    }

    SeenMessages run() throws InterruptedException {
        long end = System.nanoTime() + TestConsumer.PATIENCE.toNanos();
        while (round() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Messages still move after " + TestConsumer.PATIENCE + ", " + settled.size()
                        + " were settled, the last " + settled.get(settled.size() - 1)
                        + ". Handlers that append to each other's entities do not end");
            }
        }
        return new SeenMessages("settled until nothing moved", List.copyOf(settled), tables::unseen);
    }

    private int round() throws InterruptedException {
        int moved = publish.getAsInt();
        for (TestConsumer consumer : consumers) {
            if (consumer.isAnythingLeft()) {
                List<SeenMessage> handled = consumer.handleAll().list();
                settled.addAll(handled);
                moved += handled.size();
            }
        }
        return moved;
    }
}
