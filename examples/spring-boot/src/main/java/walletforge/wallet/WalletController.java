package walletforge.wallet;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class WalletController {
    private final Wallets wallets;

    WalletController(Wallets wallets) {
        this.wallets = wallets;
    }

    record Balance(String wallet, long cents) {}

    @PutMapping("/wallets/{id}")
    void open(@PathVariable("id") String id) {
        wallets.open(id);
    }

    @GetMapping("/wallets/{id}")
    ResponseEntity<Balance> balance(@PathVariable("id") String id) {
        return ResponseEntity.of(wallets.balance(id).map(cents -> new Balance(id, cents)));
    }
}
