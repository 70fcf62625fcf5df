package dev.waybill.inbox;

import dev.waybill.inbox.PipelinedTransaction.OpenTransaction;
import java.sql.SQLException;

/**
 * The consumer's own transactions, on connections of its pool. A message's commit and the next one's beginning
 * share a round trip.
 */
record OwnTransactions(HandlerConnections connections) implements MessageTransactions {
    @Override
    public OpenTransaction begin(InboundMessage message, Work work) throws SQLException, InterruptedException {
        return work.pipeline.take(message, connections);
    }

    @Override
    public OpenTransaction begin() throws SQLException, InterruptedException {
        return new OpenTransaction(connections.take(), null, null, new AfterCommits());
    }
}
