package dev.waybill.walletforge.http;

import dev.waybill.inbox.IdempotencyKeyReusedException;
import dev.waybill.walletforge.archive.LedgerArchive;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.installation.Json;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.ledger.Wallets;
import dev.waybill.walletforge.payment.Payment;
import dev.waybill.walletforge.payment.Payments;
import dev.waybill.walletforge.standingorder.StandingOrder;
import dev.waybill.walletforge.standingorder.StandingOrders;
import dev.waybill.walletforge.statement.Statements;
import dev.waybill.walletforge.transfer.Transfer;
import dev.waybill.walletforge.transfer.Transfers;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The routes. A POST is accepted with 202 when its message is in the outbox; what became of it is asked by GET. */
public final class Api {
    private final DSLContext dsl;
    private final Payments payments;
    private final Transfers transfers;
    private final StandingOrders orders;
    private final Statements statements;
    private final Wallets wallets;
    private final LedgerArchive archive;
    private final IdempotentPosts posts;

    public Api(Installation installation) {
        dsl = installation.dsl();
        payments = new Payments(installation);
        transfers = new Transfers(installation);
        orders = new StandingOrders(installation);
        statements = new Statements(installation);
        wallets = new Wallets(installation);
        archive = new LedgerArchive(installation);
        posts = new IdempotentPosts(installation);
    }

    /** Adds the routes to a server. */
    public void addTo(Javalin server) {
        server.post("/payments", http -> posts.carryOut(http, (tx, key) -> pay(tx, key, http)))
                .post("/transfers", http -> posts.carryOut(http, (tx, key) -> transfer(tx, http)))
                .get(
                        "/transfers/{id}",
                        http -> answer(http, transfers.state(dsl, id(http)).map(state -> Map.of("state", state))))
                .post("/standing-orders", http -> posts.carryOut(http, (tx, key) -> order(tx, http)))
                .delete(
                        "/standing-orders/{id}",
                        http -> http.status(dsl.transactionResult(tx -> orders.cancel(tx.dsl(), id(http))) ? 204 : 404))
                .get("/wallets/{id}", http -> answer(http, wallets.find(id(http))))
                .put(
                        "/wallets/{id}/limit",
                        http -> wallets.limit(
                                id(http),
                                Json.read(http.bodyAsBytes(), Limit.class).dailyLimitCents()))
                .put("/wallets/{id}/closed", http -> wallets.close(id(http)))
                .post("/wallets/{id}/statements", http -> posts.carryOut(http, (tx, key) -> statement(tx, http)))
                .get("/wallets/{id}/archive", this::archived)
                .get(
                        "/statements/{id}",
                        http -> answer(http, statements.find(id(http)).map(csv -> Map.of("csv", csv))))
                .exception(IllegalArgumentException.class, (e, http) -> refuse(http, 400, e.getMessage()))
                .exception(DateTimeException.class, (e, http) -> refuse(http, 400, e.getMessage()))
                .exception(IdempotencyKeyReusedException.class, (e, http) -> refuse(http, 422, e.getMessage()));
    }

    private String pay(DSLContext tx, String key, Context http) {
        var request = Json.read(http.bodyAsBytes(), PaymentRequest.class);
        if (!payments.accept(tx, new Payment(key, request.walletId(), request.kind(), request.amountCents()))) {
            throw new IllegalArgumentException("An earlier payment has this Idempotency-Key");
        }
        return key;
    }

    private String transfer(DSLContext tx, Context http) {
        String id = UUID.randomUUID().toString();
        var request = Json.read(http.bodyAsBytes(), TransferRequest.class);
        transfers.request(tx, new Transfer(id, request.fromWallet(), request.toWallet(), request.amountCents()));
        return id;
    }

    private String order(DSLContext tx, Context http) {
        String id = UUID.randomUUID().toString();
        orders.create(tx, id, Json.read(http.bodyAsBytes(), StandingOrder.class));
        return id;
    }

    private String statement(DSLContext tx, Context http) {
        String id = UUID.randomUUID().toString();
        statements.request(tx, id, id(http));
        return id;
    }

    private void archived(Context http) {
        var events = archive.find(id(http), time(http, "from"), time(http, "to"));
        http.contentType("application/json").result("[" + String.join(",", events) + "]");
    }

    private static Instant time(Context http, String name) {
        return Json.time(String.valueOf(http.queryParam(name)));
    }

    private static String id(Context http) {
        return Payment.wallet("The id", http.pathParam("id"));
    }

    private static void answer(Context http, Optional<?> found) {
        found.ifPresentOrElse(
                value -> http.contentType("application/json").result(Json.write(value)),
                () -> refuse(http, 404, "Not found, or not yet"));
    }

    private static void refuse(Context http, int status, @Nullable String error) {
        http.status(status).contentType("application/json").result(Json.write(Map.of("error", String.valueOf(error))));
    }

    private record PaymentRequest(String walletId, Kind kind, long amountCents) {}

    private record TransferRequest(String fromWallet, String toWallet, long amountCents) {}

    private record Limit(long dailyLimitCents) {}
}
