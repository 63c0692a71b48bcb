module example.com/example

go 1.19

require example.com/pushcrypt v0.1.0

require (
	golang.org/x/crypto v0.4.0 // indirect
	golang.org/x/sys v0.3.0 // indirect
)

replace example.com/pushcrypt => ../
