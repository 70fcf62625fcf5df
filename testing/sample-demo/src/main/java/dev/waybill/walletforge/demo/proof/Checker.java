package dev.waybill.walletforge.demo.proof;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Computes the proof of a run from its tables and its witness. */
public final class Checker {
    private final DataSource dataSource;
    private final String schema;
    private final String idSuffix;
    private final BrokerObserver witness;

    /**
     * A checker of one run.
     *
     * @param schema of the tables payment, wallet and ledger_entry
     * @param idSuffix what follows the {@code tx_id} in a message's id; other messages are no business of this run
     */
    public Checker(DataSource dataSource, String schema, String idSuffix, BrokerObserver witness) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.idSuffix = idSuffix;
        this.witness = witness;
    }

    /** Reads everything and judges it. The run must be over. */
    public Proof check(RunFacts run) throws SQLException {
        var tables = Tables.read(dataSource, schema, TransferWallets.prefix(idSuffix.substring(1)));
        var known = tables.payments().stream().map(Tables.PaymentRow::txId).collect(Collectors.toSet());
        var publications = witness.publications().values().stream()
                .map(ids -> txIds(ids).stream().filter(known::contains).toList())
                .toList();
        var published = publications.stream().flatMap(List::stream).collect(Collectors.toSet());
        return new Proof(
                traffic(tables, run, published.size(), known),
                damage(tables, run, publications, published),
                Money.of(tables),
                run);
    }

    private Traffic traffic(Tables tables, RunFacts run, long published, Set<String> known) {
        var deliveries = witness.deliveries().entrySet().stream()
                .filter(entry -> txIds(List.of(entry.getKey())).stream().anyMatch(known::contains))
                .map(Map.Entry::getValue)
                .toList();
        long delivered = deliveries.stream().mapToLong(Integer::longValue).sum();
        return new Traffic(
                tables.payments().size(), run.resends(), published, delivered, delivered - deliveries.size());
    }

    private static Damage damage(Tables tables, RunFacts run, List<List<String>> publications, Set<String> published) {
        var audit = new OrderAudit(tables.payments());
        var entered = tables.entries().stream().map(Tables.EntryRow::txId).collect(Collectors.toSet());
        return new Damage(
                tables.entries().size() - entered.size(),
                lost(tables, run, published, entered),
                publications.stream().mapToLong(audit::outOfOrder).sum() + audit.outOfOrderEntries(tables.entries()),
                SequentialFold.differences(tables.payments(), tables.wallets()),
                tables.wallets().stream().filter(wallet -> wallet.cents() < 0).count());
    }

    private static long lost(Tables tables, RunFacts run, Set<String> published, Set<String> entered) {
        var arrived = new HashSet<>(published);
        arrived.retainAll(entered);
        long stored = tables.payments().stream()
                .filter(payment -> arrived.contains(payment.txId()))
                .count();
        return run.transactions() - stored;
    }

    private List<String> txIds(List<String> messageIds) {
        return messageIds.stream()
                .filter(id -> id.endsWith(idSuffix))
                .map(id -> id.substring(0, id.length() - idSuffix.length()))
                .toList();
    }
}
