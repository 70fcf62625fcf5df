package walletforge.payment;

import dev.waybill.inbox.IdempotencyKeyReusedException;
import dev.waybill.inbox.IdempotencyKeys;
import dev.waybill.inbox.Response;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PaymentController {
    private final Payments payments;
    private final PaymentRepository repository;
    private final IdempotencyKeys keys;
    private final JdbcTemplate jdbc;

    PaymentController(Payments payments, PaymentRepository repository, IdempotencyKeys keys, JdbcTemplate jdbc) {
        this.payments = payments;
        this.repository = repository;
        this.keys = keys;
        this.jdbc = jdbc;
    }

    record Order(String wallet, long cents) {}

    /** A client that repeats its request gets the first answer again, and no second payment. */
    @Transactional
    @PostMapping(path = "/payments", produces = MediaType.TEXT_PLAIN_VALUE)
    public ResponseEntity<byte[]> pay(@RequestHeader("Idempotency-Key") String key, @RequestBody Order order) {
        byte[] request = order.toString().getBytes(StandardCharsets.UTF_8);
        Response response =
                jdbc.execute((ConnectionCallback<Response>) transaction -> keys.once(transaction, key, request, () -> {
                    payments.accept(key, order.wallet(), order.cents());
                    return new Response(202, MediaType.TEXT_PLAIN_VALUE, key.getBytes(StandardCharsets.UTF_8));
                }));
        return ResponseEntity.status(response.status()).body(response.body());
    }

    @GetMapping("/payments/{id}")
    ResponseEntity<Payment.State> state(@PathVariable("id") String id) {
        return ResponseEntity.of(repository.findById(id).map(Payment::state));
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.UNPROCESSABLE_ENTITY)
    void reused(IdempotencyKeyReusedException exception) {}
}
