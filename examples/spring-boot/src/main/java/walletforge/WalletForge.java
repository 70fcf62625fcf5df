package walletforge;

import dev.waybill.inbox.IdempotencyKeys;
import dev.waybill.schema.SchemaName;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class WalletForge {
    public static void main(String[] args) {
        SpringApplication.run(WalletForge.class, args);
    }

    @Bean
    IdempotencyKeys paymentKeys() {
        return IdempotencyKeys.of(SchemaName.DEFAULT, "POST /payments");
    }
}
