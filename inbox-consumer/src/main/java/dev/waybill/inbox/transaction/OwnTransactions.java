package dev.waybill.inbox.transaction;

import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.transaction.PipelinedTransaction.OpenTransaction;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The consumer's own transactions. The commit of a message and the record of the next share a round trip. Thread-safe. */
final class OwnTransactions implements MessageTransactions {
    private final HandlerConnections connections;
    private final Map<InFlightWork, PipelinedTransaction> pipelines = new ConcurrentHashMap<>();

    OwnTransactions(HandlerConnections connections) {
        this.connections = connections;
    }

    @Override
    public OpenTransaction begin(InboundMessage message, InFlightWork work) throws SQLException, InterruptedException {
        return pipeline(work).take(message, connections);
    }

    @Override
    public OpenTransaction begin() throws SQLException, InterruptedException {
        return new PipelinedTransaction().take(connections);
    }

    @Override
    public boolean isNextBegun(InFlightWork work) {
        return pipeline(work).isBegun();
    }

    @Override
    public void abandonNext(InFlightWork work) {
        pipeline(work).giveUp();
    }

    // Bounded: a consumer has one worker per thread for its whole life.
    private PipelinedTransaction pipeline(InFlightWork work) {
        return pipelines.computeIfAbsent(work, one -> new PipelinedTransaction());
    }
}
