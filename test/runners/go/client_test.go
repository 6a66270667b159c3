// A generated Go client compiles, keeps ids exact and has typed errors.
package contract

import (
	"context"
	"math"
	"net/http"
	"os"
	"slices"
	"testing"
)

// Orders of orders.ndjson; their ids have 19 digits.
const (
	pending     = math.MaxInt64
	shipped     = 1234567890123456789
	alsoPending = -1234567890123456789
	never       = 1234567890123456788
)

func TestListHasEveryIdExactly(t *testing.T) {
	orders := list(t)
	if ids := idsOf(orders); !slices.Equal(ids, []int64{pending, shipped, alsoPending}) {
		t.Errorf("ids: %d", ids)
	}
	if petId := orders[0].PetId; petId == nil || *petId != math.MinInt64 {
		t.Errorf("the pet of the first order: %v", petId)
	}
	if last := orders[2]; last.PetId != nil || last.Quantity != nil || last.ShipDate != nil || last.Complete != nil {
		t.Errorf("fields that the last order does not have: %v", last)
	}
}

func TestCancelledOrderLeavesTheList(t *testing.T) {
	if response := cancel(t, clientWith(t, key()), alsoPending); response.StatusCode() != http.StatusNoContent {
		t.Fatalf("cancel: %s", response.Status())
	}
	if ids := idsOf(list(t)); !slices.Equal(ids, []int64{pending, shipped}) {
		t.Errorf("ids: %d", ids)
	}
	again := cancel(t, clientWith(t, key()), alsoPending).JSON404
	if again == nil || again.Code != "order_already_cancelled" || again.Status != http.StatusNotFound {
		t.Errorf("cancel again: %v", again)
	}
}

func TestErrorsAreTyped(t *testing.T) {
	client := clientWith(t, key())
	if refused := cancel(t, client, never).JSON404; refused == nil || refused.Code != "order_not_found" {
		t.Errorf("an order that never was: %v", refused)
	}
	if refused := cancel(t, client, shipped).JSON409; refused == nil || refused.Code != "order_already_shipped" {
		t.Errorf("a shipped order: %v", refused)
	}
	if refused := cancel(t, clientWith(t, "wrong"), pending).JSON401; refused == nil || refused.Code != "unauthorized" {
		t.Errorf("a wrong key: %v", refused)
	}
}

func key() string { return os.Getenv("API_KEY") }

func clientWith(t *testing.T, key string) *ClientWithResponses {
	t.Helper()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("BASE_URL"), WithRequestEditorFn(authorize))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func list(t *testing.T) []Order {
	t.Helper()
	response, err := clientWith(t, key()).ListOrdersWithResponse(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if response.JSON200 == nil {
		t.Fatalf("list: %s", response.Status())
	}
	return *response.JSON200
}

func idsOf(orders []Order) []int64 {
	ids := []int64{}
	for _, order := range orders {
		ids = append(ids, *order.Id)
	}
	return ids
}

func cancel(t *testing.T, client *ClientWithResponses, id int64) *CancelOrderResponse {
	t.Helper()
	response, err := client.CancelOrderWithResponse(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return response
}
