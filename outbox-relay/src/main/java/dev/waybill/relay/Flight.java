package dev.waybill.relay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One page on its way to the broker. Used by the turn's thread alone. */
final class Flight {
    private final Page page;
    private final List<LaneRun> runs;
    private final CompletableFuture<Void> arrival;

    private Flight(Page page, List<LaneRun> runs, CompletableFuture<Void> arrival) {
        this.page = page;
        this.runs = runs;
        this.arrival = arrival;
    }

    /** Reads the next page of these lanes and sends it. */
    static Flight depart(List<LaneRun> runs, RelayTables tables, Wave wave, PageSize size) {
        var cursors = new LinkedHashMap<Lane, Cursor>();
        runs.forEach(run -> cursors.put(run.lane(), run.from()));
        int rows = size.rows();
        Page page = tables.reader().read(cursors, rows);
        size.weighed(page.bytes());
        runs.forEach(run -> run.read(page, rows));
        if (!page.moreLate()) {
            return new Flight(page, runs, wave.send(runs, page.late(), page.fresh()));
        }
        sendLate(runs, cursors, page, tables, wave, size);
        return new Flight(page, runs, wave.send(runs, Map.of(), page.fresh()));
    }

    /** Reads and sends the page that follows while this one is on its way. */
    Flight next(RelayTables tables, Wave wave, PageSize size) {
        var following = new ArrayList<LaneRun>();
        runs.forEach(run -> following.add(run.next(page.snapshot())));
        return depart(following, tables, wave, size);
    }

    // One page of them after the other, so that ever so many take no more memory than a page of all lanes.
    private static void sendLate(
            List<LaneRun> runs, Map<Lane, Cursor> cursors, Page page, RelayTables tables, Wave wave, PageSize size) {
        wave.send(runs, page.late(), Map.of()).join();
        Page late = page;
        while (late.moreLate()) {
            late = tables.reader().readMoreLate(cursors, page, late.lastLate(), size.rows());
            size.weighed(late.bytes());
            wave.send(runs, late.late(), Map.of()).join();
        }
    }

    /** Whether some lane may have rows beyond this page. */
    boolean leftRowsBehind() {
        return runs.stream().anyMatch(run -> run.readUpTo() < page.drawn());
    }

    /** Whether this flight says nothing about its lanes. */
    boolean isPaused() {
        return page.isPaused();
    }

    /** Waits until the fate of every row is known. */
    void land() {
        try {
            arrival.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Lets nothing more be sent, and waits for what is under way. */
    void giveUp() {
        runs.forEach(LaneRun::giveUp);
        arrival.exceptionally(failure -> null).join();
    }

    List<LaneRun> runs() {
        return runs;
    }

    /** Whether the read has seen holds that wait to be tried. */
    boolean sawHoldsDue() {
        return page.holdsDue();
    }

    String snapshot() {
        return page.snapshot();
    }

    TurnOutcome outcome() {
        return runs.stream().map(LaneRun::outcome).reduce(TurnOutcome.IDLE, TurnOutcome::plus);
    }
}
