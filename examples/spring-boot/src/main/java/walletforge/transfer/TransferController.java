package walletforge.transfer;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TransferController {
    private final TransferSaga saga;
    private final TransferRepository transfers;

    TransferController(TransferSaga saga, TransferRepository transfers) {
        this.saga = saga;
        this.transfers = transfers;
    }

    @PostMapping("/transfers")
    void start(@RequestBody TransferOrder order) {
        saga.start(order);
    }

    @GetMapping("/transfers/{id}")
    ResponseEntity<Transfer.State> state(@PathVariable("id") String id) {
        return ResponseEntity.of(transfers.findById(id).map(Transfer::state));
    }
}
