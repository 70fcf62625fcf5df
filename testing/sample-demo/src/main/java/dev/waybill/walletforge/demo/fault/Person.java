package dev.waybill.walletforge.demo.fault;

import dev.waybill.walletforge.demo.repair.DeadLetterRepair;
import java.util.function.Consumer;

/** Leaves what no rule can repair to a person at the console, and waits for as long as it takes. */
final class Person implements Operator {
    private static final long INTERVAL_MILLIS = 200;

    private final RefusedMessage refused;
    private final DeadLetterRepair deadLetters;
    private final Consumer<String> events;
    private volatile boolean waits;

    Person(RefusedMessage refused, DeadLetterRepair deadLetters, Consumer<String> events) {
        this.refused = refused;
        this.deadLetters = deadLetters;
        this.events = events;
    }

    @Override
    public void work(long transactions) throws Exception {
        refused.mend(transactions, events);
        String told = "";
        for (Left left = look(); !left.isNothing(); left = look()) {
            waits = left.holds() + left.letters().open() > 0;
            if (waits && left.letters().missing() == 0 && !left.inWords().equals(told)) {
                told = left.inWords();
                events.accept(told);
            }
            Thread.sleep(INTERVAL_MILLIS);
        }
        waits = false;
        events.accept("nothing waits for you any more");
    }

    @Override
    public boolean waits() {
        return waits;
    }

    private Left look() throws InterruptedException {
        return new Left(refused.waiting(), deadLetters.left(events));
    }

    private record Left(int holds, DeadLetterRepair.Left letters) {
        boolean isNothing() {
            return holds + letters.missing() + letters.open() == 0;
        }

        String inWords() {
            return "waiting for you in the console: held sessions %d, dead letters %d".formatted(holds, letters.open());
        }
    }
}
