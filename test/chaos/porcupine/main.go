// Checks that a history of orders is linearizable, with Porcupine: some sequence of its operations, each between its
// begin and its end, must explain every outcome. Reads one JSON object per line from stdin; exits with 1 if none does.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// Orders that are checked together. A list is checked as a snapshot of each group.
const groupSize = 5

const patience = 2 * time.Minute

type status byte

const (
	absent status = iota
	pending
	shipped
	cancelled
)

type state [groupSize]status

type operation struct {
	Kind    string `json:"kind"`
	ID      int    `json:"id"`
	Outcome string `json:"outcome"`
	Shown   []int  `json:"shown"`
	Begin   int64  `json:"begin"`
	End     *int64 `json:"end"` // null: the operation may take effect at any later time, or never
}

// What one operation changed or read of one group.
type step struct {
	group   int
	place   int
	kind    string
	outcome string
	shown   [groupSize]bool
}

// The outcome "unknown" agrees with any state.
func apply(before state, s step) (bool, state) {
	after := before
	order := &after[s.place]
	switch s.kind {
	case "list":
		for place, status := range before {
			if s.shown[place] != (status == pending || status == shipped) {
				return false, before
			}
		}
		return true, before
	case "status":
		return s.outcome == [...]string{"absent", "pending", "shipped", "cancelled"}[*order], before
	case "insert":
		if *order == absent {
			*order = pending
		}
		return true, after
	case "replace":
		*order = pending
		return true, after
	}
	// cancel or ship
	outcome := map[status]string{absent: "not_found", shipped: "shipped", cancelled: "already_cancelled"}[*order]
	if *order == pending {
		outcome = "done"
		*order = map[string]status{"cancel": cancelled, "ship": shipped}[s.kind]
	} else if s.kind == "ship" {
		outcome = "none"
	}
	return s.outcome == "unknown" || s.outcome == outcome, after
}

var model = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		groups := map[int][]porcupine.Operation{}
		for _, each := range history {
			group := each.Input.(step).group
			groups[group] = append(groups[group], each)
		}
		partitions := [][]porcupine.Operation{}
		for _, each := range groups {
			partitions = append(partitions, each)
		}
		return partitions
	},
	Init: func() any { return state{} },
	Step: func(before, input, _ any) (bool, any) { return apply(before.(state), input.(step)) },
}

func stepsOf(op operation, groups int) []step {
	if op.Kind != "list" {
		return []step{{group: op.ID / groupSize, place: op.ID % groupSize, kind: op.Kind, outcome: op.Outcome}}
	}
	steps := make([]step, groups)
	for group := range steps {
		steps[group] = step{group: group, kind: "list"}
	}
	for _, id := range op.Shown {
		steps[id/groupSize].shown[id%groupSize] = true
	}
	return steps
}

func main() {
	operations := []operation{}
	groups := 0
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var op operation
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			log.Fatal(err)
		}
		operations = append(operations, op)
		for _, id := range append(op.Shown, op.ID) {
			groups = max(groups, id/groupSize+1)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	history := []porcupine.Operation{}
	for _, op := range operations {
		end := int64(math.MaxInt64)
		if op.End != nil {
			end = *op.End
		}
		for _, s := range stepsOf(op, groups) {
			history = append(history, porcupine.Operation{Input: s, Call: op.Begin, Return: end})
		}
	}
	result := porcupine.CheckOperationsTimeout(model, history, patience)
	fmt.Printf("%d operations in %d groups: %s\n", len(operations), groups, result)
	if result != porcupine.Ok {
		os.Exit(1)
	}
}
