package shop;

import dev.waybill.test.publisher.PublisherContract;
import dev.waybill.test.publisher.PublisherSetup;

class HttpPublisherTest extends PublisherContract {
    @Override
    protected PublisherSetup setUp() {
        return new Endpoint();
    }
}
